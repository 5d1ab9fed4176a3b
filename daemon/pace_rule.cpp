#include "daemon/pace_rule.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "daemon/backoff.hpp"

namespace surveybridge::daemon {

namespace {

// How soon to ask again when every place is taken: an answer may come any moment.
constexpr Duration kFullWait = std::chrono::milliseconds{2};
// A write that is due and comes no later than that is waited for; so many go before a read does.
constexpr Duration kLate = std::chrono::milliseconds{20};
constexpr int kWritesInARow = 3;
// Failures in a row that open the circuit: then one request at a time asks whether it is over.
constexpr int kCircuit = 5;
// Jitter on top of a wait, so that several daemons do not come back as one.
constexpr Duration kJitterMost = std::chrono::milliseconds{250};
// Refused without a word: first so long, then twice as long each time.
constexpr Duration kSilenceFirst = std::chrono::milliseconds{200};
constexpr Duration kSilenceMost = std::chrono::hours{1};
constexpr double kSilenceGrowth = 1.7;

Duration scaled(Duration whole, double share) {
  return Duration{static_cast<std::int64_t>(static_cast<double>(whole.count()) * share)};
}

Duration silence(int refusals, Duration last, double unit) {
  const Duration first = std::max(kSilenceFirst, last / 8);
  const double growth = std::pow(kSilenceGrowth, std::clamp(refusals - 1, 0, 40));
  const Duration whole =
      scaled(first, std::min(growth, std::chrono::duration<double>(kSilenceMost) / first));
  return whole / 2 + scaled(whole / 2, unit);
}

}  // namespace

PaceRule::PaceRule(const config::Pace& ceilings)
    : rate_(ceilings.max_per_second), places_(ceilings.max_in_flight) {}

bool PaceRule::circuit_open() const {
  return failures_ >= kCircuit;
}

std::optional<TimePoint> PaceRule::held(TimePoint now, Lane lane) {
  if (now >= held_until_) return std::nullopt;
  pressed_ = true;  // a wait is no lack of demand
  return told(lane, held_until_);
}

std::optional<TimePoint> PaceRule::attempt(TimePoint now, Lane lane) {
  if (const auto until = held(now, lane)) return until;
  const int places = rate_.in_the_dark() || circuit_open() ? 1 : places_.allowed();
  if (in_flight_ >= places) return told(lane, now + kFullWait);
  if (now < next_) {
    pressed_ = true;
    return told(lane, next_);
  }
  if (gives_way(now, lane)) return told(lane, *write_due_ + kLate);
  go(now, lane);
  return std::nullopt;
}

TimePoint PaceRule::told(Lane lane, TimePoint at) {
  if (lane == Lane::write) {
    write_due_ = at;
  } else {
    read_waits_ = true;
  }
  return at;
}

bool PaceRule::gives_way(TimePoint now, Lane lane) const {
  const bool due = write_due_ && now < *write_due_ + kLate;
  return lane == Lane::read && due && writes_in_a_row_ < kWritesInARow;
}

void PaceRule::go(TimePoint now, Lane lane) {
  rate_.sent(now, std::exchange(pressed_, false));
  const Duration gap{static_cast<std::int64_t>(std::llround(1e6 / rate_.per_second()))};
  // Who comes late does not catch up: two would follow closer than the rate, and some limits mind.
  next_ = now + gap;
  ++in_flight_;
  if (lane == Lane::write) {
    write_due_.reset();
    writes_in_a_row_ = read_waits_ ? writes_in_a_row_ + 1 : 0;
  } else {
    read_waits_ = false;
    writes_in_a_row_ = 0;
  }
}

void PaceRule::answered(TimePoint now, const PaceAnswer& answer, double unit) {
  using Kind = PaceAnswer::Kind;
  switch (answer.kind) {
    case Kind::accepted:
      if (refusals_ > 0 && answer.sent_at >= *refused_at_) silent_ = now - dark_since_;
      refusals_ = failures_ = 0;
      places_.accepted(answer.beside);
      rate_.accepted(now, answer.sent_at);
      break;
    case Kind::refused:
      failures_ = 0;
      refused(now, answer, unit);
      break;
    case Kind::busy:
    case Kind::failed:
      failed(now, answer, unit);
      break;
  }
  if (answer.spent) hold(now + *answer.spent);
}

void PaceRule::refused(TimePoint now, const PaceAnswer& answer, double unit) {
  const bool known = refused_at_ && answer.sent_at < *refused_at_;  // one event, several answers
  if (!known && refusals_++ == 0) dark_since_ = now;
  const bool telling = !known && !rate_.in_the_dark();
  if (!telling || !places_.refused(answer.beside)) rate_.refused(now, answer.sent_at);
  if (!known) refused_at_ = now;
  if (answer.wait) {
    hold(now + *answer.wait + scaled(std::min(kJitterMost, *answer.wait / 4), unit));
  } else if (!known) {
    hold(now + silence(refusals_, silent_, unit));
  }
}

void PaceRule::failed(TimePoint now, const PaceAnswer& answer, double unit) {
  ++failures_;
  if (answer.wait) hold(now + *answer.wait + scaled(std::min(kJitterMost, *answer.wait / 4), unit));
  if (circuit_open()) hold(now + backoff(failures_ - kCircuit + 1, unit));
}

void PaceRule::hold(TimePoint until) {
  held_until_ = std::max(held_until_, until);
}

}  // namespace surveybridge::daemon
