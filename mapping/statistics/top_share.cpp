#include "mapping/statistics/top_share.hpp"

#include <algorithm>

namespace surveybridge::mapping {

namespace {

// From 0; as an unsigned number, so that no scale is too wide.
std::uint64_t steps_of(const Scale& scale) {
  return static_cast<std::uint64_t>(scale.high) - static_cast<std::uint64_t>(scale.low);
}

Scale top_of(const Scale& scale, std::uint64_t positions) {
  return {static_cast<std::int64_t>(static_cast<std::uint64_t>(scale.high) - (positions - 1)),
          scale.high};
}

}  // namespace

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
