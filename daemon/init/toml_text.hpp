// The new configuration as commented TOML. Pure. Whatever a text holds, it is read back as the same
// text.
#pragma once

#include <string>
#include <string_view>

#include "daemon/init/new_settings.hpp"

namespace surveybridge::daemon {

std::string configuration_text(const NewSettings& settings);

// A text as a TOML string, in the form that needs the fewest escapes.
std::string toml_string(std::string_view text);
// A key, with quotes where TOML needs them.
std::string toml_key(std::string_view name);

}  // namespace surveybridge::daemon
