// The time between two counts of the whole ledger by one process. Pure.
#pragma once

#include <algorithm>

#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

inline constexpr Duration kCountLeast = std::chrono::minutes{10};

// Longer where counting would take more than one two-hundredth of the time.
inline Duration rest_after_count(Duration took) {
  constexpr int kShare = 200;
  return std::max(kCountLeast, took * kShare);
}

}  // namespace surveybridge::daemon
