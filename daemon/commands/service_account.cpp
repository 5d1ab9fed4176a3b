#include "daemon/commands/service_account.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace surveybridge::daemon {

namespace {

namespace fs = std::filesystem;

std::string system_message(int error) {
  return std::generic_category().message(error);
}

bool belongs_to_the_service(const struct stat& file) {
  const struct group* group = ::getgrgid(file.st_gid);
  return group != nullptr && std::string_view(group->gr_name) == kServiceAccount;
}

std::optional<std::string> become(const char* account) {
  const struct passwd* user = ::getpwnam(account);
  if (user == nullptr) return fmt::format("the user \"{}\" is not there", account);
  const uid_t uid = user->pw_uid;
  const bool changed = ::initgroups(account, user->pw_gid) == 0 && ::setgid(user->pw_gid) == 0 &&
                       ::setenv("HOME", user->pw_dir, 1) == 0 && ::setuid(uid) == 0;
  if (!changed)
    return fmt::format("cannot become the user \"{}\": {}", account, system_message(errno));
  return std::nullopt;
}

std::optional<std::string> use_credentials_beside(const std::string& config_file) {
  if (std::getenv("CREDENTIALS_DIRECTORY") != nullptr) return std::nullopt;
  const std::string folder = (fs::path(config_file).parent_path() / "credentials").string();
  struct stat about {};
  if (::stat(folder.c_str(), &about) != 0 || !S_ISDIR(about.st_mode)) return std::nullopt;
  if ((about.st_mode & S_IRWXO) != 0)
    return fmt::format("{}: everybody may open this folder of credentials (chmod o-rwx)", folder);
  ::setenv("CREDENTIALS_DIRECTORY", folder.c_str(), 1);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> enter_service_account(const std::string& config_file) {
  struct stat about {};
  if (::stat(config_file.c_str(), &about) != 0) return std::nullopt;  // loading it reports that
  if (::geteuid() == 0 && belongs_to_the_service(about)) {
    if (auto problem = become(kServiceAccount)) return problem;
  }
  return use_credentials_beside(config_file);
}

}  // namespace surveybridge::daemon
