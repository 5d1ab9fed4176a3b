// The net promoter score: the share of promoters (9 and 10 of 0 to 10) less the share of
// detractors (0 to 6), times 100. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "mapping/statistics/distribution.hpp"
#include "mapping/statistics/interval.hpp"

namespace surveybridge::mapping {

inline constexpr Scale kNetPromoterScale{0, 10};

struct NetPromoter {
  std::int64_t promoters = 0, passives = 0, detractors = 0;
  std::int64_t outside = 0;  // answers beside the scale, which are not counted

  std::int64_t answers() const { return promoters + passives + detractors; }
};

NetPromoter net_promoter(const Distribution& answers);
// -100 to 100. Empty: no answers.
std::optional<double> score(const NetPromoter& counts);
// The adjusted Wald interval of the difference of two shares of a multinomial sample, in points,
// within -100 to 100. It always contains the score. Without answers: -100 to 100.
Interval interval(const NetPromoter& counts);
// In points, with the Wald interval of the difference of two independent scores, each adjusted in
// the same way; it always contains the difference. Empty: no answers on a side.
std::optional<Difference> difference(const NetPromoter& now, const NetPromoter& before);

}  // namespace surveybridge::mapping
