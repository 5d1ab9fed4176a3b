// Runs a job that asks the service, for a command that needs its answer: with the pace and the
// patience of `sync`, its progress shown.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "daemon/commands/command_context.hpp"
#include "daemon/commands/interruption.hpp"
#include "daemon/commands/progress.hpp"
#include "daemon/context/supervised_job.hpp"
#include "daemon/job/random.hpp"

namespace surveybridge::daemon {

class ServiceJob {
 public:
  // All of these outlive it.
  ServiceJob(const CommandContext& command, Interruption& interruption, Progress& progress);

  const Shared& shared() const { return shared_; }
  std::uint64_t seed() { return random_.seed(); }

  // Steps the job until it has caught up. False: it was stopped or gave up, and people have been
  // told, with `unfinished` after a stop. The job lives as long as this object. `expected`: about
  // how much it has to do.
  bool run(std::unique_ptr<Job> job, std::int64_t expected, const std::string& unfinished);
  ExitCode code() const { return code_; }  // of the last run

 private:
  const CommandContext& command_;
  Interruption& interruption_;
  Progress& progress_;
  Pace pace_;
  Random random_;
  Shared shared_;
  ExitCode code_ = kDone;
  std::vector<std::unique_ptr<SupervisedJob>> jobs_;  // the last one is run
};

}  // namespace surveybridge::daemon
