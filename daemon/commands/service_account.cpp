#include "daemon/commands/service_account.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace surveybridge::daemon {

namespace {

namespace fs = std::filesystem;

constexpr const char* kInstalledProgram = "/usr/bin/surveybridge";
constexpr const char* kInstalledFolder = "/etc/surveybridge";

// Root has become the service in this process: what root may be told, sudo's members may not.
bool was_root = false;

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

bool is_member_of_operators() {
  const struct group* operators = ::getgrnam(kOperators);
  if (operators == nullptr) return false;
  const gid_t group = operators->gr_gid;
  std::vector<gid_t> groups(static_cast<std::size_t>(std::max(0, ::getgroups(0, nullptr))));
  const int found = ::getgroups(static_cast<int>(groups.size()), groups.data());
  groups.resize(static_cast<std::size_t>(std::max(0, found)));
  return ::getegid() == group || std::ranges::find(groups, group) != groups.end();
}

bool is_already(const char* account) {
  const struct passwd* user = ::getpwnam(account);
  return user != nullptr && user->pw_uid == ::geteuid();
}

std::optional<uid_t> uid_of(const char* account) {
  const struct passwd* user = ::getpwnam(account);
  return user == nullptr ? std::nullopt : std::optional(user->pw_uid);
}

std::string owner_of(const struct stat& about) {
  const struct passwd* user = ::getpwuid(about.st_uid);
  return fmt::format("mode {:04o}, owner {}", about.st_mode & 07777,
                     user == nullptr ? std::to_string(about.st_uid) : user->pw_name);
}

// Who could put another text there: an owner other than root, the service and this process, or
// everybody who may write it. In a folder with the sticky bit nobody replaces another one's file.
std::optional<std::string> fault_in_rights(const std::string& path, const struct stat& about,
                                           bool only_root) {
  const bool ours =
      about.st_uid == 0 ||
      (!only_root && (about.st_uid == ::geteuid() || about.st_uid == uid_of(kServiceAccount)));
  const bool sticky = S_ISDIR(about.st_mode) && (about.st_mode & S_ISVTX) != 0;
  const bool by_group = (about.st_mode & S_IWGRP) != 0 && about.st_gid != 0;
  const bool by_others = (about.st_mode & S_IWOTH) != 0;
  if (ours && (sticky || (!by_group && !by_others))) return std::nullopt;
  return fmt::format(
      "{} ({}): {} tells the service's account what to do: give it to root, and keep"
      " others from writing it (chown root, chmod go-w)",
      path, owner_of(about), ours ? "whoever may write it" : "its owner");
}

// Returns only if this is not the installed program, which is the one that sudo may begin.
void begin_again_by_sudo(char** argv) {
  std::error_code unknown;
  if (fs::read_symlink("/proc/self/exe", unknown) != kInstalledProgram) return;
  const char* const sudo = "/usr/bin/sudo";
  if (::access(sudo, X_OK) != 0) return;
  std::vector<const char*> words{"sudo", "-n", "-u", kServiceAccount, "--", kInstalledProgram};
  for (char** word = argv + 1; *word != nullptr; ++word)
    words.push_back(*word);
  words.push_back(nullptr);
  ::execv(sudo, const_cast<char* const*>(words.data()));
}

}  // namespace

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

bool is_begun_by_sudo() {
  return is_already(kServiceAccount) && !was_root && std::getenv("SUDO_UID") != nullptr;
}

// A link is judged as well as what it names: its owner could let it name another file in between.
std::optional<std::string> fault_in_configuration(const std::string& file) {
  const bool by_sudo = is_begun_by_sudo();
  if (::geteuid() != 0 && !is_already(kServiceAccount)) return std::nullopt;
  std::error_code unknown;
  const fs::path real = fs::canonical(file, unknown);
  if (unknown) return std::nullopt;  // loading it reports that
  const std::string folder = real.parent_path().string();
  const fs::path named = fs::absolute(file, unknown).lexically_normal();
  // As it is typed: a folder on the way may be a link that the member changes.
  if (by_sudo && (folder != kInstalledFolder || fs::path(file).parent_path() != kInstalledFolder))
    return fmt::format("{}: by sudo only configurations in {} are used", real.string(),
                       kInstalledFolder);
  struct stat link {};
  if (::lstat(named.c_str(), &link) == 0 && S_ISLNK(link.st_mode)) {
    link.st_mode = S_IFLNK;  // a link has no rights of its own
    if (auto fault = fault_in_rights(named.string(), link, by_sudo)) return fault;
  }
  for (const std::string& path : {real.string(), folder}) {
    struct stat about {};
    if (::stat(path.c_str(), &about) != 0) return std::nullopt;
    if (auto fault = fault_in_rights(path, about, by_sudo)) return fault;
  }
  return std::nullopt;
}

ActingAsService::ActingAsService(const std::string& config_file) {
  std::string folder = fs::path(config_file).parent_path().string();
  if (folder.empty()) folder = ".";
  struct stat about {};
  if (::geteuid() != 0 || ::stat(folder.c_str(), &about) != 0) return;
  const struct passwd* user = ::getpwnam(kServiceAccount);
  if (user == nullptr || !belongs_to_the_service(about)) return;
  acting_ = true;
  const bool changed = ::initgroups(kServiceAccount, user->pw_gid) == 0 &&
                       ::setegid(user->pw_gid) == 0 && ::seteuid(user->pw_uid) == 0;
  if (!changed) throw std::system_error(errno, std::generic_category(), "acting as the service");
}

ActingAsService::~ActingAsService() {
  if (!acting_) return;
  const bool back = ::seteuid(0) == 0 && ::setegid(::getgid()) == 0;
  if (back) ::initgroups("root", ::getgid());
}

std::optional<std::string> enter_service_account(const std::string& config_file, char** argv) {
  if (auto fault = fault_in_configuration(config_file)) return fault;
  const bool plain = ::geteuid() != 0 && !is_already(kServiceAccount);
  std::error_code unknown;
  const auto folder = fs::absolute(config_file, unknown).lexically_normal().parent_path();
  if (plain && folder == kInstalledFolder && is_member_of_operators()) begin_again_by_sudo(argv);
  struct stat about {};
  if (::stat(config_file.c_str(), &about) != 0) return std::nullopt;  // loading it reports that
  if (::geteuid() == 0 && belongs_to_the_service(about)) {
    if (auto problem = become(kServiceAccount)) return problem;
    was_root = true;
  }
  return use_credentials_beside(config_file);
}

}  // namespace surveybridge::daemon
