#include "daemon/pace.hpp"

#include <algorithm>

namespace surveybridge::daemon {

namespace {
// How soon to ask again when every place is taken: an answer may come any moment.
constexpr Duration kFullWait = std::chrono::milliseconds{5};
}  // namespace

std::optional<TimePoint> Pace::attempt(TimePoint now) {
  const std::lock_guard lock(mutex_);
  if (now < held_until_) return held_until_;
  if (in_flight_ >= ceilings_.max_in_flight) return now + kFullWait;
  // Small debts are forgiven, so that a step that comes a little late loses nothing.
  const auto gap = Duration{static_cast<std::int64_t>(1e6 / ceilings_.max_per_second)};
  next_ = std::max(next_, now - gap);
  if (next_ > now + gap) next_ = now;  // the clock was set back
  if (next_ > now) return next_;
  next_ += gap;
  ++in_flight_;
  return std::nullopt;
}

void Pace::finished() {
  const std::lock_guard lock(mutex_);
  --in_flight_;
}

void Pace::hold(TimePoint until) {
  const std::lock_guard lock(mutex_);
  held_until_ = std::max(held_until_, until);
}

TimePoint Pace::held_until() const {
  const std::lock_guard lock(mutex_);
  return held_until_;
}

}  // namespace surveybridge::daemon
