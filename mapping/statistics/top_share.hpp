// Shares of the best positions of a scale. Pure.
#pragma once

#include "mapping/statistics/distribution.hpp"
#include "mapping/statistics/proportion.hpp"

namespace surveybridge::mapping {

// The best positions of a satisfaction scale (CSAT): the top two, as 4 and 5 of 1 to 5; of a scale
// with fewer than four positions the top one.
Scale satisfied(const Scale& scale);
// The best positions of an effort scale (CES 2.0): 5 to 7 of 1 to 7; of another scale what lies in
// its upper three sevenths, at least one position.
Scale at_ease(const Scale& scale);

// The answers on `top` of those on `scale`.
Proportion top_share(const Distribution& answers, const Scale& scale, const Scale& top);

}  // namespace surveybridge::mapping
