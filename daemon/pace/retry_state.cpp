#include "daemon/pace/retry_state.hpp"

#include "daemon/job/fault.hpp"
#include "daemon/job/log_events.hpp"

namespace surveybridge::daemon {

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
