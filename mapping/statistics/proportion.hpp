// A part of a whole, its share, and the interval of the share. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "mapping/statistics/interval.hpp"

namespace surveybridge::mapping {

// 0 <= part <= whole; other numbers count as the nearest of these.
struct Proportion {
  std::int64_t part = 0, whole = 0;
};

// 0 to 1. Empty: the whole is 0.
std::optional<double> share(const Proportion& proportion);
// Wilson's score interval without continuity correction. Of an empty whole: 0 to 1.
Interval wilson(const Proportion& proportion);
// With Newcombe's hybrid score interval (his method 10). Empty: a whole is 0.
std::optional<Difference> difference(const Proportion& now, const Proportion& before);

}  // namespace surveybridge::mapping
