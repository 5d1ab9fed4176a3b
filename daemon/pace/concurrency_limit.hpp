// The number of requests that may be under way at the same time: the ceiling, or what a service
// that limits this number accepts. Refusals lower it if they only meet requests that left beside
// many others, although few do. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <deque>

namespace surveybridge::daemon {

class ConcurrencyLimit {
 public:
  explicit ConcurrencyLimit(int ceiling);
  int allowed() const { return allowed_; }

  // `beside`: requests under way when this one left, including itself.
  void accepted(int beside);
  // A refusal that the rate does not explain. True: the number of requests was the cause.
  bool refused(int beside);

 private:
  static constexpr int kMost = 64;
  double share_of(int beside) const;
  void settle(int places);

  int ceiling_, allowed_;
  int trial_after_;  // acceptances at the limit before one more is tried
  int at_limit_ = 0;
  bool on_trial_ = false;                   // the last request slot is being tried
  std::array<double, kMost + 1> let_in_{};  // recent acceptances, by the number beside
  std::deque<int> refused_;                 // the number beside, the latest first
};

}  // namespace surveybridge::daemon
