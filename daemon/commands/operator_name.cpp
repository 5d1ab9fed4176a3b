#include "daemon/commands/operator_name.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string_view>

#include <pwd.h>
#include <unistd.h>

#include "config/text.hpp"
#include "daemon/job/log.hpp"

namespace surveybridge::daemon {

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
  uid_t uid = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, uid);
  if (error != std::errc() || stop != end || uid == static_cast<uid_t>(-1)) return {};
  return user_called(uid);
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
