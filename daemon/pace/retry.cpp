#include "daemon/pace/retry.hpp"

#include <algorithm>
#include <array>

#include "daemon/job/fault.hpp"
#include "daemon/job/log_events.hpp"

namespace surveybridge::daemon {

namespace {

using TroubleKind = service::Trouble::Kind;
using Then = Retry::Then;

// docs/SERVICE.md 3 does not say where statuses are. A service without them, or without permission
// for them, is used all the same: names are optional.
bool has_none(Operation operation, TroubleKind kind) {
  return operation == Operation::names &&
         (kind == TroubleKind::misplaced || kind == TroubleKind::forbidden ||
          kind == TroubleKind::rejected || kind == TroubleKind::malformed);
}

// With a cursor these answers mean that the service no longer knows it, or that it is too long to
// be sent: either way the walk has to do without it.
bool cursor_expired(int status) {
  static constexpr std::array kOfCursor{400, 404, 410, 413, 414, 431};
  return std::ranges::find(kOfCursor, status) != kOfCursor.end();
}

}  // namespace

Retry retry_after(Operation operation, const service::Trouble& trouble, bool has_cursor) {
  const bool walks = operation == Operation::page || operation == Operation::search;
  if (has_none(operation, trouble.kind)) {
    return {Then::go_without, JobStatus::Fault::none};
  }
  if (walks && has_cursor && cursor_expired(trouble.status)) {
    return {Then::start_again, fault_of(trouble.kind)};
  }
  // Whatever it is, it may pass: a permission is given later, a firewall forgets its block.
  return {Then::wait, fault_of(trouble.kind)};
}

bool is_unreachable(const service::Trouble& trouble) {
  if (trouble.kind != TroubleKind::unavailable || trouble.wait) return false;
  static constexpr std::array kNoAnswer{0, 408, 502, 503, 504};
  return std::ranges::find(kNoAnswer, trouble.status) != kNoAnswer.end();
}

void RetryState::succeeded(const std::string& still) {
  failures_ = 0;
  report(still.empty() ? JobStatus::Fault::none : JobStatus::Fault::person, still);
  status_.degraded = true;
}

void RetryState::rested(const std::string& still) {
  if (!still.empty()) return succeeded(still);
  failures_ = 0;
  status_.fault = JobStatus::Fault::none;
  status_.trouble.clear();
  status_.degraded = true;
}

void RetryState::report(JobStatus::Fault fault, const std::string& trouble,
                        const std::string& batch) {
  status_.fault = fault;
  status_.trouble = trouble;
  status_.degraded = false;
  if (trouble.empty()) return log_throttle_.over();
  log_throttle_.report(level_of(fault), trouble, {.batch = batch, .event = &kTrouble});
}

TimePoint RetryState::wait(TimePoint now, Duration floor, Duration most) {
  if (floor > Duration{0}) pace_.hold(floor);
  return now + backoff(++failures_, random_.unit(), floor, most);
}

TimePoint RetryState::failed(const Retry& retry, const service::Trouble& trouble, TimePoint now,
                             const std::string& what) {
  const std::string text = what + to_string(trouble.kind) + ": " + trouble.detail;
  report(retry.fault, text);
  return wait(now, trouble.wait.value_or(service::Wait{0}),
              is_unreachable(trouble) ? kUnreachableMax : kBackoffMax);
}

}  // namespace surveybridge::daemon
