#include "daemon/pace_places.hpp"

#include <algorithm>
#include <utility>

namespace surveybridge::daemon {

namespace {
// So often let in: then a refusal at this number has another reason.
constexpr int kProof = 5;
constexpr int kTrialFirst = 800, kTrialMost = 25'600;
}  // namespace

LearnedPlaces::LearnedPlaces(int ceiling)
    : ceiling_(std::clamp(ceiling, 1, kMost)), allowed_(ceiling_), trial_after_(kTrialFirst) {}

std::size_t LearnedPlaces::index(int beside) const {
  return static_cast<std::size_t>(std::clamp(beside, 1, kMost));
}

void LearnedPlaces::accepted(int beside) {
  ++let_in_[index(beside)];
  if (beside < allowed_ || allowed_ == ceiling_) return;
  if (++at_limit_ < trial_after_) return;
  at_limit_ = 0;
  ++allowed_;
  let_in_[index(allowed_)] = 0;
}

bool LearnedPlaces::refused(int beside) {
  const int before = std::exchange(let_in_[index(beside)], 0);
  if (beside < 2 || before >= kProof || beside > allowed_) return beside > allowed_;
  if (let_in_[index(beside - 1)] < kProof) return false;  // fewer are no better
  allowed_ = beside - 1;
  at_limit_ = 0;
  trial_after_ = std::min(kTrialMost, trial_after_ * 2);
  return true;
}

}  // namespace surveybridge::daemon
