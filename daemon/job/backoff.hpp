// The wait before another attempt. Pure: the random number is an argument.
#pragma once

#include <algorithm>
#include <chrono>

#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

inline constexpr Duration kBackoffFirst = std::chrono::seconds{1};
inline constexpr Duration kBackoffMax = std::chrono::minutes{5};

// Doubles from one second to five minutes; half of it is random (`unit` in [0, 1)). Never below
// `floor`, the wait that the service asked for: random time is added to it.
inline Duration backoff(int failures, double unit, Duration floor = Duration{0}) {
  const int doublings = std::clamp(failures - 1, 0, 20);
  const Duration whole = std::min(kBackoffFirst * (std::int64_t{1} << doublings), kBackoffMax);
  const auto half = whole / 2;
  const auto jitter = Duration{static_cast<std::int64_t>(static_cast<double>(half.count()) * unit)};
  return floor > Duration{0} ? floor + jitter / 4 : half + jitter;
}

}  // namespace surveybridge::daemon
