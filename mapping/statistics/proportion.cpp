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

// From 0; as an unsigned number, so that no scale is too wide.
std::uint64_t steps_of(const Scale& scale) {
  return static_cast<std::uint64_t>(scale.high) - static_cast<std::uint64_t>(scale.low);
}

Scale top_of(const Scale& scale, std::uint64_t positions) {
  return {static_cast<std::int64_t>(static_cast<std::uint64_t>(scale.high) - (positions - 1)),
          scale.high};
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
  // The upper end of a share of 1 is exact; the formula can miss it by a rounding error.
  return {(part + kZ * kZ / 2 - root) / below, rest == 0 ? 1 : (part + kZ * kZ / 2 + root) / below};
}

std::optional<Difference> difference(const Proportion& now, const Proportion& before) {
  const auto p = share(now), q = share(before);
  if (!p || !q) return std::nullopt;
  const Interval a = wilson(now), b = wilson(before);
  const double moved = *p - *q;
  return Difference{moved, Interval{moved - std::hypot(*p - a.low, b.high - *q),
                                    moved + std::hypot(a.high - *p, *q - b.low)}};
}

Scale satisfied(const Scale& scale) {
  if (scale.high < scale.low) return scale;
  return top_of(scale, steps_of(scale) < 3 ? 1 : 2);
}

Scale at_ease(const Scale& scale) {
  if (scale.high < scale.low) return scale;
  const std::uint64_t steps = steps_of(scale);
  // Three sevenths of the positions, rounded down: (steps + 1) * 3 / 7 without overflow.
  const std::uint64_t positions = steps / 7 * 3 + (steps % 7 + 1) * 3 / 7;
  return top_of(scale, std::max<std::uint64_t>(1, positions));
}

Proportion top_share(const Distribution& answers, const Scale& scale, const Scale& top) {
  return {count_between(answers, top.low, top.high), count(answers, scale).on};
}

}  // namespace surveybridge::mapping
