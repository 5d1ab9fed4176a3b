#include "daemon/pace/learned_rate.hpp"

#include <algorithm>
#include <cmath>

namespace surveybridge::daemon {

namespace {

// If nothing is known: slow at first, then doubled every second until a refusal.
constexpr double kFirstRate = 2;
// No slower rate is learned, because a storm of refusals must not have a lasting effect. A service
// that allows less asks for waits, which hold whatever the rate.
constexpr double kSlowest = 0.2;
// The distance below the edge after a refusal, and the first step of the rise, as shares of it.
constexpr double kDip = 0.02, kStep = 0.004;
// The rise doubles with this number of requests, within bounds in seconds.
constexpr double kDoublesRequests = 120, kDoublesLeast = 12, kDoublesMost = 60;
// The most that one refusal takes away: less after a long time without one.
constexpr double kKept = 0.97, kKeptSoon = 0.75, kSoonSeconds = 3;
// A measured rate may be too low by this, because a bucket was full for a while.
constexpr double kMeasured = 1.02;
// After a longer wait the measured rate is certain.
constexpr Duration kCertainWait = std::chrono::seconds{2};
// A longer wait is that of a spent quota: how fast it was spent does not matter.
constexpr Duration kQuotaWait = std::chrono::minutes{5};
// Refusals this close together are one event: the requests were under way at the same time.
constexpr Duration kEvent = std::chrono::seconds{1};

double seconds_between(TimePoint from, TimePoint to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

LearnedRate::LearnedRate(double ceiling)
    : ceiling_(ceiling), rate_(std::min(kFirstRate, ceiling)) {}

// A ceiling that many instances share may be lower than the slowest rate that is learned.
double LearnedRate::bounded(double rate) const {
  return std::clamp(rate, std::min(kSlowest, ceiling_), ceiling_);
}

void LearnedRate::recall(const Learned& learned) {
  if (!(learned.per_second > 0)) return;
  rate_ = bounded(learned.per_second);
  edge_ = std::max(0.0, learned.edge);
}

void LearnedRate::share(int instances) {
  const double factor = static_cast<double>(instances_) / std::max(1, instances);
  instances_ = std::max(1, instances);
  ceiling_ *= factor;
  edge_ *= factor;
  if (edge_ > 0) rate_ *= factor;
  rate_ = bounded(rate_);
}

void LearnedRate::sent(TimePoint now, bool pressed) {
  const double since = sent_at_ ? seconds_between(*sent_at_, now) : 0;
  const double used = std::min(since, 1 / rate_);
  sent_at_ = now;
  if (!pressed) {
    idle_ += since - used;
  } else if (!is_blocked()) {
    rise(used);
  }
}

// Slowly near the edge, then faster, so that a limit that has risen is found soon.
void LearnedRate::rise(double seconds) {
  if (edge_ == 0) {
    rate_ = bounded(rate_ * std::exp2(seconds));
    return;
  }
  risen_ += seconds / std::clamp(kDoublesRequests / rate_, kDoublesLeast, kDoublesMost);
  rate_ = bounded(edge_ * (1 - kDip + kStep * (std::exp2(risen_) - 1)));
}

void LearnedRate::accepted(TimePoint sent_at) {
  if (blocked_since_) {
    if (sent_at < *blocked_since_) return;  // it left before the refusal was known
    settle(sent_at);
  }
  if (!since_) since_ = sent_at;
  accepted_ += 1;
}

void LearnedRate::refused(TimePoint now) {
  again_at_ = now;
  if (!blocked_since_) blocked_since_ = now;
}

// The first acceptance after a refusal: now the limit can be measured.
void LearnedRate::settle(TimePoint accepted_at) {
  // If there were tries in between, the limit released between the last two of them.
  const bool tried = again_at_ - *blocked_since_ > kEvent;
  const TimePoint released_at = tried ? again_at_ + (accepted_at - again_at_) / 2 : accepted_at;
  if (since_ && released_at - *blocked_since_ < kQuotaWait) fall(released_at);
  since_ = released_at;
  accepted_ = idle_ = risen_ = 0;
  blocked_since_.reset();
}

// From one release to the next a limit accepts what it allows: a bucket is as empty as before, a
// window has passed.
void LearnedRate::fall(TimePoint released_at) {
  const double busy = std::max(1e-3, seconds_between(*since_, released_at) - idle_);
  const double before = seconds_between(*since_, *blocked_since_) - idle_;
  const double kept = edge_ == 0 || before < kSoonSeconds ? kKeptSoon : kKept;
  const double least = released_at - *blocked_since_ > kCertainWait ? 0 : kept * rate_;
  edge_ = std::max(kSlowest, std::clamp(kMeasured * accepted_ / busy, least, rate_));
  rate_ = bounded((1 - kDip) * edge_);
}

}  // namespace surveybridge::daemon
