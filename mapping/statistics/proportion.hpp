// A part of a whole, its share, and the interval of the share; shares of the best positions of a
// scale. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "mapping/statistics/distribution.hpp"
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

// The best positions of a satisfaction scale (CSAT): the top two, as 4 and 5 of 1 to 5; of a scale
// with fewer than four positions the top one.
Scale satisfied(const Scale& scale);
// The best positions of an effort scale (CES 2.0): 5 to 7 of 1 to 7; of another scale what lies in
// its upper three sevenths, at least one position.
Scale at_ease(const Scale& scale);

// The answers on `top` of those on `scale`.
Proportion top_share(const Distribution& answers, const Scale& scale, const Scale& top);

}  // namespace surveybridge::mapping
