#include "daemon/pace/pace.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "daemon/job/backoff.hpp"

namespace surveybridge::daemon {

namespace {

// When every slot is taken, or another job goes first: the time until the next attempt, because an
// answer, or that job, may come any moment.
constexpr Duration kFullWait = std::chrono::milliseconds{2};
// How long a place is kept for a request that is due and first: it may have to be prepared again.
constexpr Duration kPlace = std::chrono::seconds{2};
// The time until the next attempt of one that gives way to another class. For so long a place is
// kept for a job that has waited longer.
constexpr Duration kGivesWay = std::chrono::milliseconds{20};
constexpr int kWritesInARow = 3;
// Random time added to a wait, so that several daemons do not return at the same moment.
constexpr Duration kJitterMost = std::chrono::milliseconds{250};
// After a refusal without a wait: first this long, then longer each time.
constexpr Duration kSilenceFirst = std::chrono::milliseconds{200};
constexpr Duration kSilenceMost = kBackoffMax;

Duration gap_of(double per_second) {
  return Duration{static_cast<std::int64_t>(std::llround(1e6 / per_second))};
}

}  // namespace

Pace::Pace(const config::Pace& ceilings, std::function<Duration()> uptime, std::uint64_t seed,
           Recorder& recorder)
    : uptime_(std::move(uptime)),
      random_(seed),
      recorder_(recorder),
      ceilings_(ceilings),
      limits_(ceilings.separate_limits ? 2U : 1U, Limit{LearnedRate(ceilings.max_per_second)}) {}

std::optional<TimePoint> Pace::attempt(TimePoint now, const Requester& requester) {
  const std::lock_guard lock(mutex_);
  const TimePoint at = steady();
  offset_ = now - at;
  came(requester.job, at);
  const TimePoint since = asks_since_.try_emplace(requester.job, at).first->second;
  const auto wait = wait_of(at, requester.request_class, since);
  if (!wait) {
    go(at, requester.request_class);
    asks_since_.erase(requester.job);
  }
  return tell(requester, at, wait);
}

std::optional<TimePoint> Pace::held(TimePoint now, const Requester& requester) {
  const std::lock_guard lock(mutex_);
  const TimePoint at = steady();
  offset_ = now - at;
  return tell(requester, at, wait_of_all(at, requester.request_class));
}

// The job has waited until now, or it had something else to do when the time had come.
void Pace::came(const std::string& job, TimePoint at) {
  const auto told = waiting_.find(job);
  if (told == waiting_.end()) return;
  const Wait& wait = told->second;
  recorder_.waited(wait.cause, std::min(at, wait.until) - wait.told_at);
  waiting_.erase(told);
}

std::optional<Pace::Wait> Pace::wait_of_all(TimePoint at, RequestClass request_class) {
  if (at >= all_wait_until()) return std::nullopt;
  limit(request_class).pressed = true;  // a wait is not a lack of demand
  return Wait{all_wait_until(), "refused"};
}

std::optional<Pace::Wait> Pace::wait_of(TimePoint at, RequestClass request_class, TimePoint since) {
  if (const auto wait = wait_of_all(at, request_class)) return wait;
  if (is_full(request_class)) return Wait{at + kFullWait, "slot"};
  const TimePoint next = std::max(limit(request_class).next, next_of_all_);
  if (at < next) {
    limit(request_class).pressed = true;
    return Wait{next, "rate"};
  }
  if (yields(at, request_class)) return Wait{at + kGivesWay, "rate"};
  if (is_preceded(at, request_class, since)) return Wait{at + kFullWait, "rate"};
  return std::nullopt;
}

std::optional<TimePoint> Pace::tell(const Requester& requester, TimePoint at,
                                    std::optional<Wait> wait) {
  if (!wait) return std::nullopt;
  came(requester.job, at);
  if (circuit_open()) wait->cause = "failures";
  wait->told_at = at;
  wait->request_class = requester.request_class;
  waiting_[requester.job] = *wait;
  return wait->until + offset_;
}

// After a refusal one request goes first; the others follow when it was accepted.
bool Pace::is_full(RequestClass request_class) {
  const Limit& own = limit(request_class);
  if (own.rate.is_blocked() && own.in_flight > 0) return true;
  int in_flight = 0;
  for (const Limit& each : limits_)
    in_flight += each.in_flight;
  return in_flight >= (circuit_open() ? 1 : ceilings_.max_in_flight);
}

// A job of this class was told a time that has come, or comes now, and may still use it.
bool Pace::is_awaited(TimePoint at, RequestClass request_class) const {
  return std::ranges::any_of(waiting_, [&](const auto& each) {
    const Wait& wait = each.second;
    return wait.request_class == request_class && wait.until <= at + kGivesWay &&
           at < wait.until + kPlace;
  });
}

// To a request of the class that is first and could go now.
bool Pace::yields(TimePoint at, RequestClass request_class) {
  const auto first = writes_in_a_row_ >= kWritesInARow ? RequestClass::read : RequestClass::write;
  return request_class != first && is_awaited(at, first) && !is_full(first) &&
         limit(first).next <= at;
}

// A job of this class that asks for longer was told a time that has just come.
bool Pace::is_preceded(TimePoint at, RequestClass request_class, TimePoint since) const {
  return std::ranges::any_of(waiting_, [&](const auto& each) {
    const auto& [job, wait] = each;
    const auto asks = asks_since_.find(job);
    return wait.request_class == request_class && asks != asks_since_.end() &&
           asks->second < since && wait.until <= at && at < wait.until + kGivesWay;
  });
}

void Pace::go(TimePoint at, RequestClass request_class) {
  Limit& own = limit(request_class);
  own.rate.sent(at, std::exchange(own.pressed, false));
  // Lost time is not made up: two requests would be closer than the rate allows.
  own.next = at + gap_of(own.rate.per_second());
  next_of_all_ = at + gap_of(ceilings_.max_per_second / instances_);
  ++own.in_flight;
  const bool passed_over =
      request_class == RequestClass::write && is_awaited(at, RequestClass::read);
  writes_in_a_row_ = passed_over ? writes_in_a_row_ + 1 : 0;
}

void Pace::finished(RequestClass request_class) {
  const std::lock_guard lock(mutex_);
  --limit(request_class).in_flight;
}

void Pace::answered(const PaceAnswer& answer) {
  const std::lock_guard lock(mutex_);
  const TimePoint at = steady();
  switch (answer.kind) {
    case PaceAnswer::Kind::accepted:
      accepted(at, answer);
      break;
    case PaceAnswer::Kind::refused:
      refused(at, answer);
      break;
    case PaceAnswer::Kind::failed:
      failed(at, answer);
      break;
  }
  if (answer.spent) hold_all(at + *answer.spent);
}

// The service has answered.
void Pace::heard(TimePoint at) {
  if (is_away(at)) answers_.was_away();
  answers_.heard(at);
  failures_ = 0;
  heard_at_ = at;
}

void Pace::accepted(TimePoint at, const PaceAnswer& answer) {
  heard(at);
  circuit_until_ = {};
  limit(answer.request_class).refusals = 0;
  limit(answer.request_class).rate.accepted(answer.sent_at);
}

void Pace::refused(TimePoint at, const PaceAnswer& answer) {
  heard(at);
  Limit& own = limit(answer.request_class);
  const bool known = own.refused_at && answer.sent_at < *own.refused_at;  // of a known event
  own.rate.refused(at);
  if (!known) {
    ++own.refusals;
    own.refused_at = at;
  }
  if (answer.wait && *answer.wait > Duration{0}) {
    hold_all(at + with_jitter(*answer.wait));
  } else if (!known) {
    hold_all(at + backoff(own.refusals, random_.unit(), Duration{0}, kSilenceMost, kSilenceFirst));
  }
}

void Pace::failed(TimePoint at, const PaceAnswer& answer) {
  if (failures_++ == 0) silent_since_ = std::max(answer.sent_at, heard_at_);
  if (answer.wait) hold_all(at + with_jitter(*answer.wait));
  if (!circuit_open()) return;
  const auto wait = backoff(failures_ - kCircuit + 1, random_.unit(), Duration{0}, kUnreachableMax);
  circuit_until_ = std::max(circuit_until_, at + wait);
}

Duration Pace::with_jitter(Duration wait) {
  const auto most = static_cast<double>(std::min(kJitterMost, wait / 4).count());
  return wait + Duration{static_cast<std::int64_t>(most * random_.unit())};
}

void Pace::try_now() {
  const std::lock_guard lock(mutex_);
  circuit_until_ = {};
  if (held_until_ > steady() + kLongWait) held_until_ = {};
}

void Pace::hold(Duration wait) {
  const std::lock_guard lock(mutex_);
  hold_all(steady() + wait);
}

TimePoint Pace::held_until() const {
  const std::lock_guard lock(mutex_);
  return all_wait_until() + offset_;
}

Duration Pace::answering(Duration age) const {
  const std::lock_guard lock(mutex_);
  return is_away(steady()) ? Duration{0} : answers_.answering(steady(), age);
}

bool Pace::has_been_away() const {
  const std::lock_guard lock(mutex_);
  return is_away(steady()) || answers_.has_been_away();
}

Pace::PaceSnapshot Pace::known() const {
  const std::lock_guard lock(mutex_);
  const TimePoint at = steady();
  PaceSnapshot known;
  known.learned.all = limits_.front().rate.learned();
  if (limits_.size() > 1) known.learned.read = limits_.back().rate.learned();
  if (const auto last = std::max(limits_.front().refused_at, limits_.back().refused_at))
    known.refused_at = *last + offset_;
  if (all_wait_until() > at) known.held_until = all_wait_until() + offset_;
  for (const auto& [job, wait] : waiting_) {
    if (wait.until > at) known.waiting.push_back(job);
  }
  known.away = circuit_open();
  return known;
}

void Pace::recall(const Learned& learned) {
  const std::lock_guard lock(mutex_);
  if (learned.read.has_value() != (limits_.size() > 1)) return;
  limits_.front().rate.recall(learned.all);
  if (learned.read) limits_.back().rate.recall(*learned.read);
}

void Pace::share(int instances) {
  const std::lock_guard lock(mutex_);
  instances_ = std::max(1, instances);
  for (auto& each : limits_)
    each.rate.share(instances_);
}

TimePoint Pace::wall() const {
  const std::lock_guard lock(mutex_);
  return steady() + offset_;
}

}  // namespace surveybridge::daemon
