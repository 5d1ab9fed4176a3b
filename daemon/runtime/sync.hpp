// Runs everything that is due once: one job after another, each until it has caught up or has
// failed so often that waiting is useless. Has no thread; time and waiting are arguments.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "daemon/context/supervised_job.hpp"
#include "daemon/runtime/exit_code.hpp"

namespace surveybridge::daemon {

struct SyncClock {
  std::function<TimePoint()> now;
  // Waits until then; false: stop instead.
  std::function<bool(TimePoint)> wait_until;
  // Is everything to end? Empty: never.
  std::function<bool()> stopped = {};
};

// Called after every step.
using SyncWatcher = std::function<void(const std::string& job, const JobStatus& status)>;

struct SyncResult {
  struct Done {
    std::string job;
    JobStatus status;
    bool gave_up = false;
  };
  std::vector<Done> jobs;
  bool stopped = false;  // before everything was done; the remaining jobs did not run
  ExitCode exit_code = kDone;
};

SyncResult sync(std::vector<std::unique_ptr<SupervisedJob>>& jobs, const SyncClock& clock,
                const SyncWatcher& watcher);

}  // namespace surveybridge::daemon
