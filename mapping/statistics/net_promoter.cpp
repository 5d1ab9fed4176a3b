#include "mapping/statistics/net_promoter.hpp"

#include <algorithm>
#include <cmath>

namespace surveybridge::mapping {

namespace {

// Three answers more, spread as one half passive and one quarter on each side. Without them the
// interval of equal answers has no width.
constexpr double kMore = 3;

struct Estimate {
  double score, variance;  // as shares, not times 100
};

Estimate adjusted(const NetPromoter& counts) {
  const double answers = static_cast<double>(counts.answers()) + kMore;
  const double up = (static_cast<double>(counts.promoters) + kMore / 4) / answers;
  const double down = (static_cast<double>(counts.detractors) + kMore / 4) / answers;
  const double score = up - down;
  return {score, (up + down - score * score) / answers};
}

}  // namespace

NetPromoter net_promoter(const Distribution& answers) {
  return {count_between(answers, 9, 10), count_between(answers, 7, 8), count_between(answers, 0, 6),
          count(answers, kNetPromoterScale).off};
}

std::optional<double> score(const NetPromoter& counts) {
  if (counts.answers() == 0) return std::nullopt;
  return 100 * static_cast<double>(counts.promoters - counts.detractors) /
         static_cast<double>(counts.answers());
}

Interval interval(const NetPromoter& counts) {
  const auto value = score(counts);
  if (!value) return {-100, 100};
  const Estimate estimate = adjusted(counts);
  const double half = kNormalQuantile * std::sqrt(estimate.variance);
  return {std::min(*value, std::max(-100.0, 100 * (estimate.score - half))),
          std::max(*value, std::min(100.0, 100 * (estimate.score + half)))};
}

std::optional<Difference> difference(const NetPromoter& now, const NetPromoter& before) {
  const auto a = score(now), b = score(before);
  if (!a || !b) return std::nullopt;
  const Estimate p = adjusted(now), q = adjusted(before);
  const double middle = p.score - q.score;
  const double half = kNormalQuantile * std::sqrt(p.variance + q.variance);
  const double moved = *a - *b;
  return Difference{moved, Interval{std::min(moved, 100 * (middle - half)),
                                    std::max(moved, 100 * (middle + half))}};
}

}  // namespace surveybridge::mapping
