#include "daemon/pace/learned_rate.hpp"

#include <algorithm>
#include <cmath>

namespace surveybridge::daemon {

namespace {

using std::chrono::minutes;
using std::chrono::seconds;

// If nothing is known: slow at first, then doubled every second until a refusal.
constexpr double kFirstRate = 2;
// No slower rate is learned, because a storm of refusals must not have a lasting effect. A service
// that allows less asks for waits, which hold whatever the rate.
constexpr double kSlowest = 0.2;
// A limit below kSlowest is not there any more, when so many times as many requests were accepted
// in kWindow, or when nothing was refused for so many seconds.
constexpr double kMuchSlower = 4, kSlowHolds = 1200;
// The distance below the edge after a refusal; then slowly back to the edge.
constexpr double kDip = 0.01;
// A probe leaves the edge slowly, so that a limit without a burst is found exactly, and then
// faster: its distance from the edge doubles. Up to kSharp nothing hid the limit.
constexpr double kLookFirst = 0.01, kLookDoubles = 2, kHighest = 1, kLowest = 0.1, kSharp = 1.05;
constexpr double kStepLeast = 0.03, kStepMost = 0.3;
// Every accepted request earns a part of a refusal. After a fall the budget may be negative.
constexpr double kEarned = 0.003, kCreditFirst = 8, kCreditMost = 30, kCreditOfGuess = 2,
                 kDebtMost = 10;
// A refusal makes all jobs wait: the time between probes is this many times such a wait.
constexpr int kWaitsBetweenLooks = 100;
constexpr Duration kLooksLeast = seconds{5}, kLooksMost = seconds{150};
constexpr double kMoved = 0.06;
// A limit that fell may return: how often the former rate is tried, and for how long.
constexpr Duration kReturnLooks = seconds{4}, kFallRemembered = minutes{3};
// Windows are seldom longer: a low probe that passes two of them shows that there is no window.
constexpr double kWindow = 120;
// The usual rate is an average over about this many seconds.
constexpr double kUsualSeconds = 20;
// A longer wait is that of a spent quota: how fast it was spent does not matter.
constexpr Duration kQuotaWait = minutes{5};
// Refusals this close together are one event: the requests were under way at the same time.
constexpr Duration kEvent = seconds{1};
// A wait up to this may be rounded up, and longer than the limit needs.
constexpr Duration kRounded = seconds{2};
// The longer the time without a refusal, the smaller the possible error of the edge.
constexpr double kDoubt = 0.3, kFarthestFirst = 0.9, kFarthest = 0.8, kNearest = 0.995, kSoon = 3,
                 kLong = 15;

double seconds_between(TimePoint from, TimePoint to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

double LearnedRate::Stretch::busy(TimePoint end) const {
  return std::max(1e-3, seconds_between(since, end) - idle);
}

LearnedRate::LearnedRate(double ceiling)
    : ceiling_(ceiling),
      rate_(std::min(kFirstRate, ceiling)),
      credit_(kCreditFirst),
      step_(kStepMost) {}

// A ceiling that many instances share may be lower than the slowest rate that is learned.
double LearnedRate::bounded(double rate) const {
  return std::clamp(rate, std::min(kSlowest, ceiling_), ceiling_);
}

void LearnedRate::recall(const Learned& learned) {
  if (!(learned.per_second > 0)) return;
  rate_ = bounded(learned.per_second);
  edge_ = held_ = std::max(0.0, learned.edge);
  slower_ = edge_ == kSlowest ? edge_ : 0;
  between_ = kLooksMost;
  credit_ = 0;  // a restart gives no right to new refusals
}

void LearnedRate::guess(const Learned& likely) {
  recall(likely);
  between_ = kLooksLeast;
  credit_ = kCreditOfGuess;
}

void LearnedRate::share(int instances) {
  const double factor = static_cast<double>(instances_) / std::max(1, instances);
  instances_ = std::max(1, instances);
  for (double* known : {&ceiling_, &edge_, &held_, &usual_, &burst_, &slower_})
    *known *= factor;
  if (fall_) fall_->from *= factor;
  if (edge_ > 0) rate_ *= factor;
  rate_ = bounded(rate_);
}

void LearnedRate::sent(TimePoint now, bool pressed) {
  const double since = sent_at_ ? seconds_between(*sent_at_, now) : 0;
  sent_at_ = now;
  if (pressed && !blocked_since_) {
    if (edge_ == 0) rate_ *= std::exp2(std::min(since, 1.0));
    if (edge_ > 0 && free_) rise(now);
    rate_ = bounded(rate_);
  }
  if (pressed) return;
  const double idle = std::max(0.0, since - 1 / rate_);
  if (free_) free_->idle += idle;
  if (probe_) probe_->idle += idle;
}

void LearnedRate::rise(TimePoint now) {
  if (slower_ > 0 && is_faster_than_measured(now)) {
    edge_ = slower_ = 0;
    probe_.reset();
    fall_.reset();
    return;
  }
  if (!probe_ && may_probe(now)) probe_ = Stretch{now, 0, 0};
  if (probe_) {
    rate_ = next_probe_rate(now);
    return;
  }
  const double way = free_->busy(now) / std::chrono::duration<double>(probe_interval()).count();
  const double left = std::max(0.0, 1 - way);
  rate_ = edge_ * (1 - kDip * left * left);
}

Duration LearnedRate::probe_interval() const {
  if (fall_) return kReturnLooks;
  return between_;
}

bool LearnedRate::may_probe(TimePoint now) const {
  const bool due = free_->busy(now) >= std::chrono::duration<double>(probe_interval()).count();
  return due && (fall_ ? credit_ > -kDebtMost : credit_ >= price_);
}

// After a fall the former limit is tried: if it has returned, nothing is refused. Else slowly.
double LearnedRate::next_probe_rate(TimePoint now) {
  const double length = probe_->busy(now);
  const double above = kLookFirst * (std::exp2(length / kLookDoubles) - 1);
  const double rate = fall_ ? fall_->from : edge_ * (1 + std::min(above, height_));
  const double beyond = probe_->accepted - edge_ * length;
  const bool proved = fall_ || (above > height_ && (wait_ < kRounded || length > kWindow));
  if (proved && beyond > std::max(burst_, edge_)) {  // no burst explains that
    edge_ = rate;
    between_ = kLooksLeast;
    fall_.reset();
    probe_.reset();
  }
  return rate;
}

void LearnedRate::accepted(TimePoint now, TimePoint sent_at) {
  credit_ = std::min(kCreditMost, credit_ + kEarned);
  if (blocked_since_) {
    if (sent_at < *blocked_since_) return;  // it left before the refusal was known
    settle(now);
  }
  count(now, sent_at);
}

void LearnedRate::count(TimePoint now, TimePoint sent_at) {
  if (!free_) free_ = Stretch{sent_at, 0, 0};
  free_->accepted += 1;
  if (probe_ && sent_at >= probe_->since) probe_->accepted += 1;
  const double since = heard_at_ ? seconds_between(*heard_at_, now) : 0;
  usual_ = usual_ * std::exp(-since / kUsualSeconds) + 1 / kUsualSeconds;
  heard_at_ = now;
}

void LearnedRate::refused(TimePoint now, TimePoint) {
  credit_ = std::max(-kDebtMost, credit_ - 1);
  event_ += 1;
  again_at_ = now;
  if (blocked_since_) return;  // still the same event
  blocked_since_ = now;
  refused_rate_ = rate_;
}

// The first acceptance after a refusal: now the limit can be measured.
void LearnedRate::settle(TimePoint accepted_at) {
  // If there were tries in between, the limit released between the last two of them.
  const bool tried = again_at_ - *blocked_since_ > kEvent;
  const TimePoint released_at = tried ? again_at_ + (accepted_at - again_at_) / 2 : accepted_at;
  wait_ = released_at - *blocked_since_;
  if (wait_ < kQuotaWait && free_) learn(released_at);
  if (probe_) price_ = event_;
  event_ = 0;
  free_ = Stretch{released_at, 0, 0};
  probe_.reset();
  blocked_since_.reset();
}

void LearnedRate::learn(TimePoint released_at) {
  const double before = edge_;
  if (!fall_ && free_->busy(*blocked_since_) > kLong) held_ = before;
  if (probe_ && refused_rate_ > kSharp * edge_) {
    edge_ = edge_after_probe(released_at);
    burst_ = std::max(probe_->accepted - before * probe_->busy(*blocked_since_), 0.9 * burst_);
    step_ = std::min(kStepMost, step_ * 1.5);
    // A window hides everything until it is spent, and then waits long: do not probe high.
    const bool in_vain = wait_ > kRounded && edge_ < 1.1 * before;
    height_ = in_vain ? std::max(kLowest, height_ / 2) : kHighest;
  } else {
    edge_ = edge_after_rise(released_at);
    step_ = before > 0 && edge_ > 0.95 * before ? std::max(kStepLeast, step_ / 2) : kStepMost;
  }
  slower_ = edge_ < kSlowest ? edge_ : 0;
  edge_ = std::max(kSlowest, edge_);
  const auto rare = std::clamp(wait_ * kWaitsBetweenLooks, kLooksLeast, kLooksMost);
  const bool moved = before == 0 || std::abs(edge_ / before - 1) > kMoved;
  between_ = moved ? kLooksLeast : std::min(2 * between_, rare);
  if (fall_ && (released_at - fall_->at > kFallRemembered || edge_ > 0.9 * fall_->from)) {
    fall_.reset();
  } else if (!fall_ && wait_ < kRounded && edge_ < 0.8 * std::min(usual_, held_)) {
    fall_ = Fall{released_at, held_};
  }
  soon_ = free_->busy(*blocked_since_) < kSoon;
  rate_ = bounded((1 - kDip) * edge_);
}

// From one release to the next a limit accepts exactly what it allows: a bucket is as empty as
// before, a window has passed.
double LearnedRate::measured(TimePoint released_at) const {
  return free_->accepted / free_->busy(released_at);
}

// A limit below kSlowest is exceeded all the time: it would have refused by now.
bool LearnedRate::is_faster_than_measured(TimePoint now) const {
  const double busy = free_->busy(now);
  const bool much_faster = free_->accepted > kMuchSlower * slower_ * busy;
  return busy > (much_faster ? kWindow : kSlowHolds);
}

// A burst hid the limit, or more is allowed now: the accepted requests less the burst are certain.
double LearnedRate::edge_after_probe(TimePoint released_at) const {
  if (wait_ > kRounded) return std::max(edge_, measured(released_at));
  const double burst = std::max(burst_, edge_);
  const double certain = (probe_->accepted - burst) / probe_->busy(released_at);
  const double step = fall_ ? 0 : step_ * (refused_rate_ - edge_);
  return std::max(certain, edge_ + step);
}

// From one release to the next a limit accepts what it allows: a bucket is as empty, a window has
// passed. Too low if a bucket was full in between, so it counts only in part.
double LearnedRate::edge_after_rise(TimePoint released_at) const {
  const double rate = refused_rate_;
  const double active = free_->busy(*blocked_since_);
  if (wait_ > kRounded) return std::min(measured(released_at), rate);
  const double farthest = soon_ ? kFarthest : kFarthestFirst;
  const double least = edge_ > 0 ? std::max(farthest, 1 - kDoubt / active) : farthest;
  return std::clamp(measured(released_at), std::min(least, kNearest) * rate, kNearest * rate);
}

}  // namespace surveybridge::daemon
