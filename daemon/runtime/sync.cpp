#include "daemon/runtime/sync.hpp"

#include <algorithm>

namespace surveybridge::daemon {

namespace {

// Failed steps in a row: with the backoff between them about half a minute.
constexpr int kFailuresMax = 6;
// A wrong configuration does not improve by waiting.
constexpr int kConfigurationFailuresMax = 1;

bool hopeless(const SupervisedJob& job, const JobStatus& status, int failures_max) {
  const bool wrong = status.fault == JobStatus::Fault::configuration;
  return !status.trouble.empty() &&
         job.failures() >= (wrong ? kConfigurationFailuresMax : failures_max);
}

ExitCode code_of(const JobStatus& status) {
  if (status.trouble.empty()) return kDone;
  switch (status.fault) {
    case JobStatus::Fault::unreachable:
      return kUnreachable;
    case JobStatus::Fault::configuration:
      return kConfiguration;
    case JobStatus::Fault::none:
    case JobStatus::Fault::person:
      break;
  }
  return kNeedsPerson;
}

SyncResult::Done finish(SupervisedJob& job, int failures_max, const SyncClock& clock,
                        const SyncWatcher& watcher) {
  for (;;) {
    const TimePoint now = clock.now();
    const TimePoint at = job.step(now);
    const JobStatus status = job.status();
    watcher(job.name(), status);
    if (status.caught_up) return {job.name(), status, false};
    if (at == kNever || hopeless(job, status, failures_max) || !clock.wait_until(at)) {
      return {job.name(), status, true};
    }
  }
}

bool told_to_stop(const SyncClock& clock) {
  return clock.stopped && clock.stopped();
}

}  // namespace

SyncResult sync(std::vector<std::unique_ptr<SupervisedJob>>& jobs, const SyncClock& clock,
                const SyncWatcher& watcher) {
  SyncResult result;
  int failures_max = kFailuresMax;
  for (auto& job : jobs) {
    result.stopped = told_to_stop(clock);
    if (result.stopped) break;
    result.jobs.push_back(finish(*job, failures_max, clock, watcher));
    job->leave();
    // After one job has waited in vain, the next one waits less for the same cause.
    const auto& [name, status, gave_up] = result.jobs.back();
    if (gave_up && status.fault == JobStatus::Fault::unreachable) failures_max = 1;
    result.stopped = gave_up && told_to_stop(clock);
    if (result.stopped) break;  // the reason why it has not finished
    const ExitCode code = code_of(result.jobs.back().status);
    result.exit_code = std::max(result.exit_code, code);
  }
  if (result.stopped) result.exit_code = std::max(result.exit_code, kNeedsPerson);
  return result;
}

}  // namespace surveybridge::daemon
