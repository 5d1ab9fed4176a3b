#include "mapping/statistics/proportion.hpp"

#include <algorithm>
#include <cmath>

namespace surveybridge::mapping {

namespace {

constexpr double kZ = kNormalQuantile;

struct Counts {
  double part, whole;
};

Counts counts_of(const Proportion& proportion) {
  const std::int64_t whole = std::max<std::int64_t>(proportion.whole, 0);
  const std::int64_t part = std::clamp<std::int64_t>(proportion.part, 0, whole);
  return {static_cast<double>(part), static_cast<double>(whole)};
}

// The share; of an empty whole the middle.
double point_of(const Proportion& proportion) {
  return share(proportion).value_or(0.5);
}

}  // namespace

std::optional<double> share(const Proportion& proportion) {
  const auto [part, whole] = counts_of(proportion);
  if (whole == 0) return std::nullopt;
  return part / whole;
}

Interval wilson(const Proportion& proportion) {
  const auto [part, whole] = counts_of(proportion);
  if (whole == 0) return {0, 1};
  const double rest = whole - part;
  const double root = kZ * std::sqrt(part * rest / whole + kZ * kZ / 4);
  const double below = whole + kZ * kZ;
  // The ends of a share of 0 or 1 are exact; the formula misses them by a rounding error.
  return {part == 0 ? 0 : (part + kZ * kZ / 2 - root) / below,
          rest == 0 ? 1 : (part + kZ * kZ / 2 + root) / below};
}

Interval newcombe(const Proportion& now, const Proportion& before) {
  const double p = point_of(now), q = point_of(before);
  const Interval a = wilson(now), b = wilson(before);
  return {p - q - std::hypot(p - a.low, b.high - q), p - q + std::hypot(a.high - p, q - b.low)};
}

}  // namespace surveybridge::mapping
