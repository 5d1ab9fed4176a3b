// A command of the program in a message, as a person types it. Pure.
#pragma once

#include <string>

namespace surveybridge::daemon {

// Read where nobody says -c.
inline constexpr const char* kConfigurationFile = "/etc/surveybridge/surveybridge.toml";

// "surveybridge release orders -c other.toml" of "surveybridge release orders"; the command alone
// where `file` is kConfigurationFile, or empty. A name that a shell would take apart is quoted.
std::string with_file(const std::string& command, const std::string& file);

// "surveybridge explain KEY -c other.toml", in the same way.
std::string explain_command(const std::string& key, const std::string& file);
// "surveybridge doubt sent KEY -c other.toml", of an action and its options.
std::string doubt_command(const std::string& action, const std::string& key,
                          const std::string& file);

}  // namespace surveybridge::daemon
