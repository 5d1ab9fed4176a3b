// A bound on how deep a TOML text nests, looked at before it is parsed: the parser builds and
// destroys what it reads by recursion, so a long dotted key would overrun the stack. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/problem.hpp"

namespace surveybridge::config {

// The first place where brackets nest deeper than 32 or a line has more than 32 dots outside
// strings and comments.
std::optional<Problem> too_deep(std::string_view text, const std::string& file);

}  // namespace surveybridge::config
