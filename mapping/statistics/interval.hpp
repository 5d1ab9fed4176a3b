// An interval with 95 % confidence, as every interval of this room. Pure.
#pragma once

namespace surveybridge::mapping {

// The 0.975 quantile of the standard normal distribution.
inline constexpr double kNormalQuantile = 1.959963984540054;

struct Interval {
  double low = 0, high = 0;
};

// Neither end is zero, and zero is not between them.
constexpr bool excludes_zero(const Interval& interval) {
  return interval.low > 0 || interval.high < 0;
}

}  // namespace surveybridge::mapping
