#include "daemon/pace/rate_limiter.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "daemon/job/backoff.hpp"

namespace surveybridge::daemon {

namespace {

// The number of acceptances, and of refusals, that are remembered.
constexpr double kRemembered = 2000;
constexpr std::size_t kRefusals = 6;
// The probability with which only crowded requests would be refused by chance.
constexpr double kChance = 0.01;
constexpr int kTrialFirst = 800, kTrialMost = 25'600;

// When every slot is taken: the time until the next attempt, because an answer may come any moment.
constexpr Duration kFullWait = std::chrono::milliseconds{2};
// A place is kept this long for a request that is due and first. A request that needs longer to
// prepare gets twice its recent time, within bounds: otherwise reads would always be faster than a
// write that comes a little late.
constexpr Duration kLate = std::chrono::milliseconds{20};
constexpr Duration kLateMost = std::chrono::seconds{2};
// Failures in a row that open the circuit: then one request at a time tests the service.
constexpr int kCircuit = 5;
// A service that answers nothing for this long is away.
constexpr Duration kAway = std::chrono::seconds{10};
// Random time added to a wait, so that several daemons do not return at the same moment.
constexpr Duration kJitterMost = std::chrono::milliseconds{250};
// After a refusal without a wait: first this long, then longer each time.
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

Duration gap_of(double per_second) {
  return Duration{static_cast<std::int64_t>(std::llround(1e6 / per_second))};
}

std::size_t index(RequestClass request_class) {
  return static_cast<std::size_t>(request_class);
}

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

RateLimiter::RateLimiter(const config::Pace& ceilings)
    : ceiling_(ceilings.max_per_second),
      limit_states_{LimitState{LearnedRate(ceiling_)}, LimitState{LearnedRate(ceiling_)}},
      places_(ceilings.max_in_flight) {}

const RateLimiter::LimitState& RateLimiter::limit_state(RequestClass request_class) const {
  return limit_states_[split_batches_ ? index(request_class) : 0];
}
RateLimiter::LimitState& RateLimiter::limit_state(RequestClass request_class) {
  return limit_states_[split_batches_ ? index(request_class) : 0];
}

bool RateLimiter::circuit_open() const {
  return failures_ >= kCircuit;
}

// The service has answered.
void RateLimiter::heard(TimePoint now) {
  if (is_away(now)) answers_.was_away();
  answers_.heard(now);
  failures_ = 0;
  heard_at_ = now;
}

Duration RateLimiter::answering(TimePoint now, Duration age) const {
  return is_away(now) ? Duration{0} : answers_.answering(now, age);
}

bool RateLimiter::has_been_away(TimePoint now) const {
  return is_away(now) || answers_.has_been_away();
}

bool RateLimiter::is_away(TimePoint now) const {
  return failures_ > 0 && now - silent_since_ >= kAway;
}

std::optional<TimePoint> RateLimiter::refused_at() const {
  if (!split_batches_) return limit_states_[0].refused_at;
  return std::max(limit_states_[0].refused_at, limit_states_[1].refused_at);
}

std::optional<TimePoint> RateLimiter::held(TimePoint now, RequestClass request_class) {
  if (now >= held_until()) return std::nullopt;
  limit_state(request_class).pressed = true;  // a wait is not a lack of demand
  return told(request_class, held_until());
}

// After a refusal one request goes first; the others follow when it was accepted.
bool RateLimiter::is_full(RequestClass request_class) const {
  const int own = split_batches_ ? in_flight_[index(request_class)] : in_flight();
  if (limit_state(request_class).rate.is_blocked() && own > 0) return true;
  return in_flight() >= (circuit_open() ? 1 : places_.allowed());
}

std::optional<TimePoint> RateLimiter::attempt(TimePoint now, RequestClass request_class) {
  came(now, request_class);
  if (const auto until = held(now, request_class)) return until;
  if (is_full(request_class)) return told(request_class, now + kFullWait);
  LimitState& own = limit_state(request_class);
  const TimePoint next = std::max(own.next, next_of_all_);
  if (now < next) {
    own.pressed = true;
    return told(request_class, next);
  }
  if (yields(now, request_class)) return told(request_class, now + kLate);
  go(now, request_class);
  return std::nullopt;
}

RateLimiter::Cause RateLimiter::why_waits(TimePoint now, RequestClass request_class) const {
  if (now < held_until_) return circuit_open() ? Cause::failures : Cause::refused;
  if (circuit_open()) return Cause::failures;  // one request tries whether it answers again
  return is_full(request_class) ? Cause::slot : Cause::rate;
}

// Later than any place is kept: it was another request.
void RateLimiter::came(TimePoint now, RequestClass request_class) {
  const auto& due = due_[index(request_class)];
  if (!due || now < *due) return;
  const Duration late = now - *due > kLateMost ? Duration{0} : now - *due;
  Duration& grace = grace_[index(request_class)];
  grace = std::clamp(std::max(2 * late, scaled(grace, 0.9)), kLate, kLateMost);
}

bool RateLimiter::is_awaited(TimePoint now, RequestClass request_class) const {
  const auto& due = due_[index(request_class)];
  return due && now < *due + std::max(kLate, grace_[index(request_class)]);
}

TimePoint RateLimiter::told(RequestClass request_class, TimePoint at) {
  due_[index(request_class)] = at;
  return at;
}

bool RateLimiter::yields(TimePoint now, RequestClass request_class) const {
  const bool enough = writes_in_a_row_ >= evidence_.writes_in_a_row();
  const RequestClass first = enough ? RequestClass::read : RequestClass::write;
  return !split_batches_ && request_class != first && is_awaited(now, first);
}

void RateLimiter::go(TimePoint now, RequestClass request_class) {
  LimitState& own = limit_state(request_class);
  own.rate.sent(now, std::exchange(own.pressed, false));
  // Lost time is not made up: two requests would be closer than the rate allows.
  own.next = now + gap_of(own.rate.per_second());
  next_of_all_ = now + gap_of(ceiling_ / instances_);
  ++in_flight_[index(request_class)];
  due_[index(request_class)].reset();
  const bool passed_over =
      request_class == RequestClass::write && is_awaited(now, RequestClass::read);
  writes_in_a_row_ = passed_over ? writes_in_a_row_ + 1 : 0;
}

void RateLimiter::finished(RequestClass request_class) {
  --in_flight_[index(request_class)];
}

void RateLimiter::answered(TimePoint now, const PaceAnswer& answer, double unit) {
  using Kind = PaceAnswer::Kind;
  switch (answer.kind) {
    case Kind::accepted:
      accepted(now, answer);
      break;
    case Kind::refused:
      heard(now);
      refused(now, answer, unit);
      break;
    case Kind::busy:
    case Kind::failed:
      failed(now, answer, unit);
      break;
  }
  if (answer.spent) hold(now + *answer.spent);
}

void RateLimiter::accepted(TimePoint now, const PaceAnswer& answer) {
  LimitState& own = limit_state(answer.request_class);
  if (own.refusals > 0 && answer.sent_at >= *own.refused_at) own.silent = now - own.blocked_since;
  own.refusals = 0;
  heard(now);
  circuit_until_ = {};
  places_.accepted(answer.beside);
  own.rate.accepted(now, answer.sent_at);
  evidence_.accepted(now, answer.request_class);
}

void RateLimiter::refused(TimePoint now, const PaceAnswer& answer, double unit) {
  const auto& before = limit_state(answer.request_class);
  const bool known = before.refused_at && answer.sent_at < *before.refused_at;  // of a known event
  const bool telling = !known && !before.rate.is_blocked();
  if (telling) {
    evidence_.refused(now, answer.request_class, answer.wait.value_or(Duration{0}));
    compare_request_classes(now);
  }
  LimitState& own = limit_state(answer.request_class);
  if (!known && own.refusals++ == 0) own.blocked_since = now;
  if (!telling || !places_.refused(answer.beside)) own.rate.refused(now, answer.sent_at);
  if (!known) own.refused_at = now;
  if (answer.wait && *answer.wait > Duration{0}) {
    hold(now + *answer.wait + scaled(std::min(kJitterMost, *answer.wait / 4), unit));
  } else if (!known) {
    hold(now + silence(own.refusals, own.silent, unit));
  }
}

// Only refusals show whether reading and writing have separate limits.
void RateLimiter::compare_request_classes(TimePoint now) {
  const auto verdict = evidence_.verdict();
  if (!split_batches_ && verdict == RequestClassEvidence::Verdict::apart) {
    std::array<LimitState, kRequestClasses> roads{LimitState{LearnedRate(ceiling_)},
                                                  LimitState{LearnedRate(ceiling_)}};
    for (const RequestClass request_class : {RequestClass::write, RequestClass::read}) {
      const double edge = evidence_.own_edge(request_class);
      const double rate = edge > 0 ? edge : evidence_.per_second(now, request_class);
      roads[index(request_class)].rate.share(instances_);
      roads[index(request_class)].rate.guess({rate, edge});
    }
    limit_states_ = roads;
    split_batches_ = true;
  } else if (split_batches_ && verdict == RequestClassEvidence::Verdict::together) {
    const double total = evidence_.per_second(now, RequestClass::write) +
                         evidence_.per_second(now, RequestClass::read);
    LimitState limit_state{LearnedRate(ceiling_)};
    limit_state.rate.share(instances_);
    limit_state.rate.guess({total, total});
    limit_states_[0] = limit_state;
    split_batches_ = false;
  } else {
    return;
  }
  evidence_.begin_again();
}

void RateLimiter::failed(TimePoint now, const PaceAnswer& answer, double unit) {
  if (failures_++ == 0) silent_since_ = std::max(answer.sent_at, heard_at_);
  if (answer.wait) hold(now + *answer.wait + scaled(std::min(kJitterMost, *answer.wait / 4), unit));
  if (!circuit_open()) return;
  const auto wait = backoff(failures_ - kCircuit + 1, unit, Duration{0}, kUnreachableMax);
  circuit_until_ = std::max(circuit_until_, now + wait);
}

void RateLimiter::hold(TimePoint until) {
  held_until_ = std::max(held_until_, until);
}

void RateLimiter::try_now(TimePoint now) {
  circuit_until_ = {};
  if (held_until_ > now + kLongWait) held_until_ = {};
}

RateLimiter::Learned RateLimiter::learned() const {
  if (!split_batches_) return {limit_states_[0].rate.learned(), std::nullopt};
  return {limit_states_[0].rate.learned(), limit_states_[1].rate.learned()};
}

void RateLimiter::recall(const Learned& learned) {
  split_batches_ = learned.read.has_value();
  limit_states_[0].rate.recall(learned.all);
  if (split_batches_) limit_states_[1].rate.recall(*learned.read);
}

void RateLimiter::share(int instances) {
  instances_ = std::max(1, instances);
  for (auto& one : limit_states_)
    one.rate.share(instances_);
}

}  // namespace surveybridge::daemon
