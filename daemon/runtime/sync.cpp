#include "daemon/runtime/sync.hpp"

#include <algorithm>

#include "daemon/runtime/statement_watch.hpp"

namespace surveybridge::daemon {

namespace {

// Failed steps in a row: with the backoff between them about half a minute.
constexpr int kFailuresMax = 6;
// A service that takes a request and does not answer costs `timeout` for each try: two of them, if
// they last as long as this.
constexpr int kSlowFailuresMax = 2;
constexpr Duration kSlow = std::chrono::minutes{1};
// A wrong configuration does not improve by waiting.
constexpr int kConfigurationFailuresMax = 1;
// A service that throttles without saying how long allows more a minute, or some minutes, later.
constexpr Duration kThrottledMax = std::chrono::minutes{15};

// How long a job may be without success.
struct Patience {
  int failures_max = kFailuresMax;
  Duration throttled_max = kThrottledMax;
};

// `waited` is the time since the job last did something.
bool hopeless(const SupervisedJob& job, const JobStatus& status, Duration waited,
              const Patience& patience) {
  if (status.trouble.empty()) return false;
  switch (status.fault) {
    case JobStatus::Fault::throttled:
      return waited >= patience.throttled_max;
    case JobStatus::Fault::configuration:
      return job.failures() >= kConfigurationFailuresMax;
    case JobStatus::Fault::none:
    case JobStatus::Fault::unreachable:
    case JobStatus::Fault::person:
      break;
  }
  return job.failures() >= patience.failures_max ||
         (job.failures() >= kSlowFailuresMax && waited >= kSlow);
}

ExitCode code_of(const JobStatus& status) {
  if (status.trouble.empty()) return kDone;
  switch (status.fault) {
    case JobStatus::Fault::unreachable:
    case JobStatus::Fault::throttled:
      return kUnreachable;
    case JobStatus::Fault::configuration:
      return kConfiguration;
    case JobStatus::Fault::none:
    case JobStatus::Fault::person:
      break;
  }
  return kNeedsPerson;
}

SyncResult::Done finish(SupervisedJob& job, const Patience& patience, const SyncClock& clock,
                        const SyncWatcher& watcher) {
  TimePoint worked_at = clock.now();
  std::int64_t done = job.status().done;
  for (;;) {
    const TimePoint now = clock.now();
    const TimePoint at = job.step(now);
    const JobStatus status = job.status();
    if (status.done != done || status.trouble.empty()) worked_at = now;
    done = status.done;
    watcher(job.name(), status);
    if (status.caught_up) return {job.name(), status, false};
    // One job has waited in vain: another wait for the same cause is useless.
    if (patience.failures_max == 1 && at > now) return {job.name(), status, true};
    const Duration waited = clock.now() - worked_at;
    if (at == kNever || hopeless(job, status, waited, patience) || !clock.wait_until(at)) {
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
  Patience patience;
  for (auto& job : jobs) {
    result.stopped = told_to_stop(clock);
    if (result.stopped) break;
    name_this_thread(job->name());
    result.jobs.push_back(finish(*job, patience, clock, watcher));
    job->leave();
    name_this_thread("");
    // After one job has waited in vain, the next one waits less for the same cause.
    const auto& [name, status, gave_up] = result.jobs.back();
    if (gave_up && status.fault == JobStatus::Fault::unreachable) patience.failures_max = 1;
    if (gave_up && status.fault == JobStatus::Fault::throttled) patience.throttled_max = {};
    result.stopped = gave_up && told_to_stop(clock);
    if (result.stopped) break;  // the reason why it has not finished
    const ExitCode code = code_of(result.jobs.back().status);
    result.exit_code = std::max(result.exit_code, code);
  }
  if (result.stopped) result.exit_code = std::max(result.exit_code, kNeedsPerson);
  return result;
}

}  // namespace surveybridge::daemon
