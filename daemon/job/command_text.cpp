#include "daemon/job/command_text.hpp"

#include <algorithm>

#include "daemon/job/replaced.hpp"

namespace surveybridge::daemon {

namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
         c == '.' || c == '_' || c == '-' || c == '@';
}

std::string quoted(const std::string& name) {
  if (std::ranges::all_of(name, is_plain)) return name;
  return "'" + replaced(name, "'", "'\\''") + "'";
}

}  // namespace

std::string with_file(const std::string& command, const std::string& file) {
  return file.empty() || file == kConfigurationFile ? command : command + " -c " + quoted(file);
}

std::string explain_command(const std::string& key, const std::string& file) {
  return with_file("surveybridge explain " + quoted(key), file);
}

std::string doubt_command(const std::string& action, const std::string& key,
                          const std::string& file) {
  return with_file("surveybridge doubt " + action + " " + quoted(key), file);
}

}  // namespace surveybridge::daemon
