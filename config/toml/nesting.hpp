// A limit on the nesting of a TOML text, checked before it is parsed: the parser is recursive, so a
// long dotted key would overflow the stack. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/problem.hpp"

namespace surveybridge::config {

// The first place where brackets nest deeper than 32, or where a line has more than 32 dots outside
// strings and comments.
std::optional<Problem> too_deep(std::string_view text, const std::string& file);

}  // namespace surveybridge::config
