// How many requests may be under way at once: the ceiling, or what a service that counts them was
// seen to let in. A refusal teaches this number when requests were never let in beside so many
// others; else it is the rate's. Pure.
#pragma once

#include <array>
#include <cstddef>

namespace surveybridge::daemon {

class LearnedPlaces {
 public:
  explicit LearnedPlaces(int ceiling);
  int allowed() const { return allowed_; }

  // `beside`: requests under way when this one left, itself included.
  void accepted(int beside);
  // True: it is these places that were too many, not the rate.
  bool refused(int beside);

 private:
  static constexpr int kMost = 64;
  std::size_t index(int beside) const;

  int ceiling_, allowed_;
  int trial_after_;  // acceptances at the limit before one place more is tried
  int at_limit_ = 0;
  std::array<int, kMost + 1> let_in_{};  // by places; in a row, since a refusal there
};

}  // namespace surveybridge::daemon
