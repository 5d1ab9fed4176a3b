// The wait before another attempt. Pure: the random number is an argument.
#pragma once

#include <algorithm>
#include <chrono>

#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

inline constexpr Duration kBackoffFirst = std::chrono::seconds{1};
inline constexpr Duration kBackoffMax = std::chrono::minutes{5};
// Of a service or a database that cannot be reached: soon after it is back it is used again.
inline constexpr Duration kUnreachableMax = std::chrono::seconds{30};

// Doubles from `first` to `most`; half of it is random (`unit` in [0, 1)). Never below `floor`,
// the wait that the service asked for: random time is added to it.
inline Duration backoff(int failures, double unit, Duration floor = Duration{0},
                        Duration most = kBackoffMax, Duration first = kBackoffFirst) {
  const int doublings = std::clamp(failures - 1, 0, 20);
  const Duration whole = std::min(first * (std::int64_t{1} << doublings), most);
  const auto half = whole / 2;
  const auto jitter = Duration{static_cast<std::int64_t>(static_cast<double>(half.count()) * unit)};
  return floor > Duration{0} ? floor + jitter / 4 : half + jitter;
}

}  // namespace surveybridge::daemon
