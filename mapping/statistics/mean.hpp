// Means of answers, with Student's and Welch's t intervals. Pure; only its source uses Boost.Math.
#pragma once

#include <cstdint>
#include <optional>

#include "mapping/statistics/distribution.hpp"
#include "mapping/statistics/interval.hpp"

namespace surveybridge::mapping {

struct Mean {
  std::int64_t answers = 0;
  double value = 0;     // 0 without answers
  double variance = 0;  // of the sample, divided by answers - 1; 0 with fewer than two answers
};

// Of the answers on the scale.
Mean mean(const Distribution& answers, const Scale& scale);
// Student's t interval. Empty: fewer than two answers, or all are equal; then the answers do not
// tell how much they scatter.
std::optional<Interval> interval(const Mean& mean);
// With Welch's t interval. Empty: no answers on a side. Its interval is empty if a side has fewer
// than two answers, or neither side scatters.
std::optional<Difference> difference(const Mean& now, const Mean& before);

// The 0.975 quantile of Student's t distribution. `freedom` > 0.
double t_quantile(double freedom);

}  // namespace surveybridge::mapping
