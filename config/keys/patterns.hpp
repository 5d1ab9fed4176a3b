// Regular expressions for editors: see with_pattern.
#pragma once

#include <cstdint>
#include <string>

#include "config/settings.hpp"

namespace surveybridge::config {

// The decimal digits of an integer from `least` to `most`, with zeros before them or not.
// 0 <= least <= most. A group, without anchors.
std::string integer_pattern(std::int64_t least, std::int64_t most);

// A duration of one unit within these bounds, or any of several units.
std::string bounds_pattern(Milliseconds least, Milliseconds most);

}  // namespace surveybridge::config
