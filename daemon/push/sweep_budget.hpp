// How much time the sweep of a whole window may take: one hundredth of the time that passes, so
// that its share of a core stays bounded however large the window is. Pure; belongs to a sweep.
#pragma once

#include <algorithm>

#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

class SweepBudget {
 public:
  // `uptime`: monotonic.
  void reach(Duration uptime) {
    if (reached_ > Duration{0}) credit_ += std::max(Duration{0}, uptime - reached_) / kShare;
    credit_ = std::min(credit_, kMost);
    reached_ = uptime;
  }
  void spend(Duration time) { credit_ -= time; }
  bool allows() const { return credit_ > Duration{0}; }

 private:
  static constexpr int kShare = 100;
  static constexpr Duration kMost = std::chrono::seconds{10};  // that is saved up for one poll

  Duration credit_{0};
  Duration reached_{0};
};

}  // namespace surveybridge::daemon
