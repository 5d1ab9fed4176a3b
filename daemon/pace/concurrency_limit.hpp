// How many requests may be under way at once: the ceiling, or what a service that counts them was
// seen to let in. Refusals teach this number when they meet only requests that left beside many
// others, though few do. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <deque>

namespace surveybridge::daemon {

class ConcurrencyLimit {
 public:
  explicit ConcurrencyLimit(int ceiling);
  int allowed() const { return allowed_; }

  // `beside`: requests under way when this one left, itself included.
  void accepted(int beside);
  // A refusal that the rate does not explain. True: it is these places that were too many.
  bool refused(int beside);

 private:
  static constexpr int kMost = 64;
  double share_of(int beside) const;
  void settle(int places);

  int ceiling_, allowed_;
  int trial_after_;  // acceptances at the limit before one place more is tried
  int at_limit_ = 0;
  bool on_trial_ = false;                   // the last of the places
  std::array<double, kMost + 1> let_in_{};  // of late, by places
  std::deque<int> refused_;                 // beside how many, the latest first
};

}  // namespace surveybridge::daemon
