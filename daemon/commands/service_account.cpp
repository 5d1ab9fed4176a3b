#include "daemon/commands/service_account.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/text.hpp"
#include "daemon/commands/new_file.hpp"
#include "daemon/job/log.hpp"

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

// As it is typed: a folder on the way may be a link that the member changes.
std::optional<std::string> fault_by_sudo(const std::string& file) {
  if (!is_begun_by_sudo() || fs::path(file).parent_path() == kInstalledFolder) return std::nullopt;
  return fmt::format("{}: by sudo only configurations in {} are used", file, kInstalledFolder);
}

ActingAsService::ActingAsService(const std::string& config_file) {
  const std::string folder = folder_of(config_file);
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
  if (auto fault = fault_by_sudo(config_file)) return fault;
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

namespace {

constexpr std::size_t kFactBytesMax = 36;  // of each of four

// An environment variable may hold anything.
std::string fit(const std::string& text) {
  if (!config::is_utf8(text)) return "(not UTF-8)";
  return std::string(config::first_bytes(one_line(text), kFactBytesMax));
}

std::string user_called(uid_t uid) {
  const struct passwd* user = ::getpwuid(uid);
  return user != nullptr ? user->pw_name : "uid " + std::to_string(uid);
}

// Nobody has logged in for a process of the system: the kernel then says 4294967295.
std::string login_in(const std::string& file) {
  std::string text;
  std::getline(std::ifstream(file) >> std::ws, text);
  const auto uid = config::to_number<uid_t>(text);
  return uid && *uid != static_cast<uid_t>(-1) ? user_called(*uid) : "";
}

std::string own_terminal() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const char* const name = ::ttyname(stream);
    if (name == nullptr) continue;
    const std::string path = name;
    return path.starts_with("/dev/") ? path.substr(5) : path;
  }
  return {};
}

}  // namespace

OperatorFacts operator_facts(const std::string& login_file) {
  const char* const sudo = std::getenv("SUDO_USER");
  return {user_called(::getuid()), sudo == nullptr ? "" : sudo, login_in(login_file),
          own_terminal()};
}

std::string operator_name(const OperatorFacts& facts) {
  std::string others;
  if (!facts.sudo.empty() && facts.sudo != facts.user) others = "sudo by " + fit(facts.sudo);
  if (!facts.login.empty() && facts.login != facts.user && facts.login != facts.sudo)
    others += (others.empty() ? "login " : ", login ") + fit(facts.login);
  std::string name = fit(facts.user);
  if (!others.empty()) name += " (" + others + ")";
  if (!facts.terminal.empty()) name += " on " + fit(facts.terminal);
  return name;
}

}  // namespace surveybridge::daemon
