#include "mapping/statistics/distribution.hpp"

#include <limits>

namespace surveybridge::mapping {

std::int64_t count_between(const Distribution& answers, std::int64_t low, std::int64_t high) {
  std::int64_t sum = 0;
  for (auto it = answers.lower_bound(low); it != answers.end() && it->first <= high; ++it)
    if (it->second > 0) sum += it->second;
  return sum;
}

ScaleCounts count(const Distribution& answers, const Scale& scale) {
  using Limits = std::numeric_limits<std::int64_t>;
  const std::int64_t on = count_between(answers, scale.low, scale.high);
  return {on, count_between(answers, Limits::min(), Limits::max()) - on};
}

Distribution on_scale(const Distribution& answers, const Scale& scale) {
  Distribution on;
  for (auto it = answers.lower_bound(scale.low); it != answers.end() && it->first <= scale.high;
       ++it)
    if (it->second > 0) on.insert(*it);
  return on;
}

}  // namespace surveybridge::mapping
