// Since when the service has answered: what it does not list counts only after that
// (docs/GUARANTEES.md). A service that was away may still work on requests that it got before, and
// nobody knows what it did while nobody asked it. Pure: the clock is an argument.
#pragma once

#include <algorithm>
#include <deque>

#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

class AnswerTimes {
 public:
  // An answer; times ascend.
  void heard(TimePoint now) {
    if (!times_.empty() && now - times_.back() < kApart) return;
    while (!times_.empty() && now - times_.front() > kKept)
      times_.pop_front();
    times_.push_back(now);
  }
  // The service was away until now: what it answered before no longer counts.
  void was_away() {
    times_.clear();
    was_away_ = true;
  }
  bool has_been_away() const { return was_away_; }

  // How long ago its first answer was within the last `age`, 10 s too little at most, a day at
  // most; 0: it has not answered in that time.
  Duration answering(TimePoint now, Duration age) const {
    const auto first =
        std::ranges::partition_point(times_, [&](TimePoint at) { return now - at > age; });
    return first == times_.end() ? Duration{0} : now - *first;
  }

 private:
  static constexpr Duration kApart = std::chrono::seconds{10};
  static constexpr Duration kKept = std::chrono::hours{24};

  std::deque<TimePoint> times_;  // at least kApart from one to the next, ascending
  bool was_away_ = false;
};

}  // namespace surveybridge::daemon
