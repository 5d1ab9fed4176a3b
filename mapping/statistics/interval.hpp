// Intervals with 95 % confidence, as every interval of this room, and differences with them. Pure.
#pragma once

#include <optional>

namespace surveybridge::mapping {

// The 0.975 quantile of the standard normal distribution.
inline constexpr double kNormalQuantile = 1.959963984540054;

struct Interval {
  double low = 0, high = 0;
};

// A figure now less the same figure before.
struct Difference {
  double value = 0;
  std::optional<Interval> interval = {};  // empty: the answers cannot tell one

  // The interval excludes zero: the answers show that the figure has changed.
  bool is_change() const { return interval && (interval->low > 0 || interval->high < 0); }
};

}  // namespace surveybridge::mapping
