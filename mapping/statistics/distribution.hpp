// How often each value was answered, and which of the values are on a question's scale. Pure.
#pragma once

#include <cstdint>
#include <map>

namespace surveybridge::mapping {

// Value -> number of answers with it. A number below 1 counts as 0.
using Distribution = std::map<std::int64_t, std::int64_t>;

// Both ends belong to it. Without a value if high < low.
struct Scale {
  std::int64_t low = 0, high = 10;
};

struct ScaleCounts {
  std::int64_t on = 0, off = 0;  // answers on the scale, and beside it
};

ScaleCounts count(const Distribution& answers, const Scale& scale);
// The number of answers from `low` to `high`.
std::int64_t count_between(const Distribution& answers, std::int64_t low, std::int64_t high);
// Only what is on the scale, without values that nobody has answered.
Distribution on_scale(const Distribution& answers, const Scale& scale);

}  // namespace surveybridge::mapping
