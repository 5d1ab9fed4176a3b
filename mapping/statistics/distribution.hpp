// How often each value was answered. Pure.
#pragma once

#include <cstdint>
#include <map>

namespace surveybridge::mapping {

// Value -> number of answers with it. A number below 1 counts as 0.
using Distribution = std::map<std::int64_t, std::int64_t>;

}  // namespace surveybridge::mapping
