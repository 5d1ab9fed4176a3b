#include "daemon/sync.hpp"

#include <algorithm>

namespace surveybridge::daemon {

namespace {

// Steps in a row that met trouble: with the backoff between them about half a minute.
constexpr int kFailuresMax = 6;
// What is wrong with the configuration does not get better by waiting.
constexpr int kConfigurationFailuresMax = 1;

bool hopeless(const Guard& job, const Standing& standing, int failures_max) {
  const bool wrong = standing.fault == Standing::Fault::configuration;
  return !standing.trouble.empty() &&
         job.failures() >= (wrong ? kConfigurationFailuresMax : failures_max);
}

ExitCode code_of(const Standing& standing) {
  if (standing.trouble.empty()) return kDone;
  switch (standing.fault) {
    case Standing::Fault::unreachable:
      return kUnreachable;
    case Standing::Fault::configuration:
      return kConfiguration;
    case Standing::Fault::none:
    case Standing::Fault::person:
      break;
  }
  return kNeedsPerson;
}

SyncResult::Done finish(Guard& job, int failures_max, const SyncClock& clock,
                        const SyncWatcher& watcher) {
  for (;;) {
    const TimePoint now = clock.now();
    const TimePoint at = job.step(now);
    const Standing standing = job.standing();
    watcher(job.name(), standing);
    if (standing.caught_up) return {job.name(), standing, false};
    if (at == kNever || hopeless(job, standing, failures_max) || !clock.wait_until(at)) {
      return {job.name(), standing, true};
    }
  }
}

bool told_to_stop(const SyncClock& clock) {
  return clock.stopped && clock.stopped();
}

}  // namespace

SyncResult sync(std::vector<std::unique_ptr<Guard>>& jobs, const SyncClock& clock,
                const SyncWatcher& watcher) {
  SyncResult result;
  int failures_max = kFailuresMax;
  for (auto& job : jobs) {
    result.stopped = told_to_stop(clock);
    if (result.stopped) break;
    result.jobs.push_back(finish(*job, failures_max, clock, watcher));
    job->leave();
    // Whom one job has waited for in vain, the next need not wait for as long again.
    const auto& [name, standing, gave_up] = result.jobs.back();
    if (gave_up && standing.fault == Standing::Fault::unreachable) failures_max = 1;
    result.stopped = gave_up && told_to_stop(clock);
    if (result.stopped) break;  // that is why it has not come to its end
    const ExitCode code = code_of(result.jobs.back().standing);
    result.exit_code = std::max(result.exit_code, code);
  }
  if (result.stopped) result.exit_code = std::max(result.exit_code, kNeedsPerson);
  return result;
}

}  // namespace surveybridge::daemon
