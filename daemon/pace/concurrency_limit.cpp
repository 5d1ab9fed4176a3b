#include "daemon/pace/concurrency_limit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace surveybridge::daemon {

namespace {
// The number of acceptances, and of refusals, that are remembered.
constexpr double kRemembered = 2000;
constexpr std::size_t kRefusals = 6;
// The probability with which only crowded requests would be refused by chance.
constexpr double kChance = 0.01;
constexpr int kTrialFirst = 800, kTrialMost = 25'600;
}  // namespace

ConcurrencyLimit::ConcurrencyLimit(int ceiling)
    : ceiling_(std::clamp(ceiling, 1, kMost)), allowed_(ceiling_), trial_after_(kTrialFirst) {}

void ConcurrencyLimit::accepted(int beside) {
  let_in_[static_cast<std::size_t>(std::clamp(beside, 1, kMost))] += 1;
  if (std::reduce(let_in_.begin(), let_in_.end()) > kRemembered) {
    for (auto& count : let_in_)
      count /= 2;
  }
  if (beside < allowed_ || allowed_ == ceiling_ || ++at_limit_ < trial_after_) return;
  at_limit_ = 0;
  ++allowed_;
  on_trial_ = true;
}

// The share of accepted requests that left beside this many or more.
double ConcurrencyLimit::share_of(int beside) const {
  const auto from = let_in_.begin() + std::clamp(beside, 0, kMost);
  return (1 + std::reduce(from, let_in_.end())) / (1 + std::reduce(let_in_.begin(), let_in_.end()));
}

void ConcurrencyLimit::settle(int places) {
  allowed_ = places;
  at_limit_ = 0;
  trial_after_ = std::min(kTrialMost, trial_after_ * 2);
  on_trial_ = false;
  refused_.clear();
}

bool ConcurrencyLimit::refused(int beside) {
  if (beside > allowed_) return true;  // it left before they were known
  if (on_trial_ && beside == allowed_) {
    settle(allowed_ - 1);
    return true;
  }
  refused_.push_front(beside);
  if (refused_.size() > kRefusals) refused_.pop_back();
  int least = ceiling_, count = 0;
  for (const int at : refused_) {
    least = std::min(least, at);
    if (least < 2 || std::pow(share_of(least), ++count) > kChance) continue;
    settle(least - 1);
    return true;
  }
  return false;
}

}  // namespace surveybridge::daemon
