#include "daemon/pace/pace.hpp"

#include <algorithm>

namespace surveybridge::daemon {

namespace {

// The words of the metrics (daemon/metrics/registry.cpp).
std::string_view word_of(RateLimiter::Cause cause) {
  switch (cause) {
    case RateLimiter::Cause::refused:
      return "refused";
    case RateLimiter::Cause::failures:
      return "failures";
    case RateLimiter::Cause::slot:
      return "slot";
    case RateLimiter::Cause::rate:
      break;
  }
  return "rate";
}

}  // namespace

Pace::Pace(const config::Pace& ceilings, std::function<Duration()> uptime, std::uint64_t seed,
           Recorder& recorder)
    : uptime_(std::move(uptime)), rule_(ceilings), random_(seed), recorder_(recorder) {}

std::optional<TimePoint> Pace::attempt(TimePoint now, const Requester& requester) {
  const std::lock_guard lock(mutex_);
  const TimePoint at = steady();
  offset_ = now - at;
  return tell(requester, at, rule_.attempt(at, requester.request_class));
}

std::optional<TimePoint> Pace::held(TimePoint now, const Requester& requester) {
  const std::lock_guard lock(mutex_);
  const TimePoint at = steady();
  offset_ = now - at;
  return tell(requester, at, rule_.held(at, requester.request_class));
}

std::optional<TimePoint> Pace::tell(const Requester& requester, TimePoint at,
                                    std::optional<TimePoint> later) {
  came(requester.job, at);
  if (!later) return std::nullopt;
  waiting_[requester.job] = {at, *later, rule_.why_waits(at, requester.request_class)};
  return *later + offset_;
}

// The job has waited until now, or it had something else to do when the time had come.
void Pace::came(const std::string& job, TimePoint at) {
  const auto told = waiting_.find(job);
  if (told == waiting_.end()) return;
  recorder_.waited(word_of(told->second.cause), std::min(at, told->second.until) - told->second.at);
  waiting_.erase(told);
}

void Pace::finished(RequestClass request_class) {
  const std::lock_guard lock(mutex_);
  rule_.finished(request_class);
}

void Pace::try_now() {
  const std::lock_guard lock(mutex_);
  rule_.try_now(steady());
}

void Pace::hold(Duration wait) {
  const std::lock_guard lock(mutex_);
  rule_.hold(steady() + wait);
}

TimePoint Pace::held_until() const {
  const std::lock_guard lock(mutex_);
  return rule_.held_until() + offset_;
}

Duration Pace::answering(Duration age) const {
  const std::lock_guard lock(mutex_);
  return rule_.answering(steady(), age);
}

bool Pace::has_been_away() const {
  const std::lock_guard lock(mutex_);
  return rule_.has_been_away(steady());
}

Pace::PaceSnapshot Pace::known() const {
  const std::lock_guard lock(mutex_);
  PaceSnapshot known{rule_.learned(), std::nullopt, std::nullopt, {}, rule_.circuit_open()};
  if (const auto at = rule_.refused_at()) known.refused_at = *at + offset_;
  if (rule_.held_until() > steady()) known.held_until = rule_.held_until() + offset_;
  for (const auto& [job, told] : waiting_) {
    if (told.until > steady()) known.waiting.push_back(job);
  }
  return known;
}

void Pace::recall(const RateLimiter::Learned& learned) {
  const std::lock_guard lock(mutex_);
  rule_.recall(learned);
}

void Pace::share(int instances) {
  const std::lock_guard lock(mutex_);
  rule_.share(instances);
}

Pace::Sent Pace::sent(RequestClass request_class) const {
  const std::lock_guard lock(mutex_);
  return {steady(), std::max(1, rule_.in_flight()), request_class};
}

void Pace::answered(const Sent& sent, PaceAnswer answer) {
  const std::lock_guard lock(mutex_);
  answer.sent_at = sent.at;
  answer.beside = sent.beside;
  answer.request_class = sent.request_class;
  rule_.answered(steady(), answer, random_.unit());
}

TimePoint Pace::wall() const {
  const std::lock_guard lock(mutex_);
  return steady() + offset_;
}

}  // namespace surveybridge::daemon
