#include "daemon/pace_rate.hpp"

#include <algorithm>
#include <cmath>

namespace surveybridge::daemon {

namespace {

// Where nothing is known: gentle first, then twice as fast every second until something is.
constexpr double kFirstRate = 2;
constexpr double kSlowest = 1.0 / 300;
// So close below the edge does it cruise.
constexpr double kCruise = 0.98;
// Every accepted request earns a share of a refusal: well under half a percent of all.
constexpr double kEarned = 0.0035;
constexpr double kCreditFirst = 6, kCreditMost = 16, kCreditDebt = -6;
// What is kept for the day the limit falls: then it may come back soon, and looking is worth more.
constexpr double kReserve = 11, kReserveUnsettled = 5, kDebtAfterFall = -4;
// After a refusal the limit is given time to forgive: so far below, and back by so much a second.
constexpr double kDip = 0.92, kDipRise = 0.01;
// Releases so recent are measured from together.
constexpr Duration kMeasured = std::chrono::seconds{20};
// A limit that is passed by so few requests before it refuses has no burst to hide it.
constexpr double kSharp = 2;
constexpr std::size_t kAnchors = 4;
constexpr Duration kFallRemembered = std::chrono::minutes{2};
constexpr Duration kBetweenProbes = std::chrono::seconds{2};

double seconds_between(TimePoint from, TimePoint to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

LearnedRate::LearnedRate(double ceiling)
    : ceiling_(ceiling), rate_(std::min(kFirstRate, ceiling)), credit_(kCreditFirst) {}

void LearnedRate::recall(const Learned& learned) {
  if (!(learned.per_second > 0)) return;
  rate_ = std::clamp(learned.per_second, kSlowest, ceiling_);
  edge_ = std::max(0.0, learned.edge);
  settled_ = edge_ > 0;
}

void LearnedRate::sent(TimePoint now, bool pressed) {
  const double since = sent_at_ ? seconds_between(*sent_at_, now) : 0;
  sent_at_ = now;
  if (pressed) {
    if (!dark_since_) grow(std::min(since, 1.0), now);
  } else {
    for (auto& anchor : anchors_)
      anchor.idle += std::max(0.0, since - 1 / rate_);
  }
}

void LearnedRate::grow(double seconds, TimePoint now) {
  if (edge_ == 0) {
    rate_ *= std::exp2(seconds);
  } else if (rate_ < kCruise * edge_ && !(fell(now) && may_probe(now))) {
    const double rise = rate_ < kDip * edge_ ? 0.5 : kDipRise;
    rate_ = std::min(kCruise * edge_, rate_ + rise * edge_ * seconds);
  } else if (probe_since_ || rate_ > edge_ || may_probe(now)) {
    climb(seconds, fell(now) ? 0.1 : 0.05);
    if (!probe_since_ && rate_ > edge_) probe_since_ = now;
  }
  rate_ = std::clamp(rate_, kSlowest, ceiling_);
}

// Slowly across the edge, so that a limit without any burst is found sharply; then ever faster.
void LearnedRate::climb(double seconds, double steepness) {
  rate_ =
      rate_ < 1.03 * edge_ ? rate_ + steepness * edge_ * seconds : rate_ * std::pow(1.3, seconds);
  if (probe_since_) probe_excess_ += (rate_ - edge_) * seconds;
}

bool LearnedRate::fell(TimePoint now) const {
  return fell_at_ && now - *fell_at_ < kFallRemembered;
}

bool LearnedRate::may_probe(TimePoint now) const {
  if (!anchors_.empty() && now - anchors_.back().at < kBetweenProbes) return false;
  if (fell(now)) return credit_ >= kDebtAfterFall;
  return credit_ >= (settled_ ? kReserve : kReserveUnsettled);
}

void LearnedRate::accepted(TimePoint now, TimePoint sent_at) {
  credit_ = std::min(kCreditMost, credit_ + kEarned);
  if (dark_since_) {
    if (sent_at < *dark_since_) return;  // it left before the refusal was known
    settle(now);
  }
  if (anchors_.empty()) anchors_.push_back({sent_at, 0, 0});
  for (auto& anchor : anchors_)
    anchor.accepted += 1;
  if (probe_since_ && sent_at >= *probe_since_) probe_accepted_ += 1;
}

void LearnedRate::refused(TimePoint now, TimePoint) {
  credit_ = std::max(kCreditDebt, credit_ - 1);
  if (dark_since_) return;  // the same event still
  dark_since_ = now;
  refused_rate_ = rate_;
  probe_length_ = probe_since_ ? seconds_between(*probe_since_, now) : 0;
}

// The first acceptance after a refusal: now something is known.
void LearnedRate::settle(TimePoint released_at) {
  const double before = edge_;
  edge_ = std::max(kSlowest, edge_after(measured(released_at)));
  settled_ = before > 0 && std::abs(edge_ / before - 1) < 0.1;
  if (before > 0 && edge_ < 0.8 * before) fell_at_ = released_at;
  if (probe_since_) slack_ = std::max(probe_excess_, 0.9 * slack_);
  rate_ = std::clamp(kDip * edge_, kSlowest, ceiling_);
  anchors_.push_back({released_at, 0, 0});
  if (anchors_.size() > kAnchors) anchors_.erase(anchors_.begin());
  dark_since_.reset();
  probe_since_.reset();
  probe_excess_ = probe_accepted_ = 0;
}

// From release to release a limit lets in what it allows, or less: a bucket is as empty as it was,
// a window has turned whole times. So the highest of the recent stretches is nearest the truth.
// 0: too little was seen.
double LearnedRate::measured(TimePoint released_at) const {
  double most = 0;
  for (const auto& anchor : anchors_) {
    const bool recent = &anchor == &anchors_.back() || released_at - anchor.at < kMeasured;
    const double length = seconds_between(anchor.at, released_at) - anchor.idle;
    if (recent && anchor.accepted >= 5 && length > 0)
      most = std::max(most, anchor.accepted / length);
  }
  return most;
}

double LearnedRate::edge_after(double measured) const {
  const double rate = refused_rate_;
  if (edge_ == 0) return std::max(0.8 * rate, std::min(measured, rate));
  if (probe_since_) return edge_after_probe(measured, probe_length_);
  // Refused at a rate that was thought safe.
  if (measured > 0.85 * rate) return 0.97 * rate;  // it was nearly right
  return std::max(measured, 0.7 * rate);
}

double LearnedRate::edge_after_probe(double measured, double length) const {
  const double rate = refused_rate_;
  if (probe_excess_ < kSharp) return 0.99 * rate;    // no burst hid the limit
  const double burst = slack_ > 0 ? slack_ : edge_;  // unknown: a second's worth
  const double beyond = length > 0 ? (probe_accepted_ - burst) / length : 0;
  // Far more is allowed by now: between what went through for certain and where it ended.
  if (beyond > 1.15 * edge_) return std::sqrt(beyond * 0.8 * rate);
  return std::max(std::min(1.02 * edge_, rate), std::min(measured, rate));
}

}  // namespace surveybridge::daemon
