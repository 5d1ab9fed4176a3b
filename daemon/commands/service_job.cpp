#include "daemon/commands/service_job.hpp"

#include <utility>

namespace surveybridge::daemon {

ServiceJob::ServiceJob(const CommandContext& command, Interruption& interruption,
                       Progress& progress)
    : command_(command),
      interruption_(interruption),
      progress_(progress),
      pace_(command.settings.service.pace, command.environment.uptime, command.environment.seed),
      random_(command.environment.seed),
      shared_{command.settings,     command.environment,
              progress.log(),       pace_,
              *command.credentials, true} {}

bool ServiceJob::run(std::unique_ptr<Job> job, std::int64_t expected,
                     const std::string& unfinished) {
  progress_.expect(job->name(), [expected](std::int64_t) { return expected; });
  jobs_.clear();
  jobs_.push_back(std::make_unique<SupervisedJob>(std::move(job), progress_.log(),
                                                  command_.environment.uptime, random_.seed()));
  const auto done =
      sync(jobs_, progress_.watched(interruption_.clock()),
           [&](const auto& name, const auto& status) { progress_.show(name, status); });
  progress_.clear();
  code_ = done.exit_code;
  if (done.stopped) {
    report_error(unfinished);
    return false;
  }
  if (!done.jobs.front().gave_up) return true;
  report_error("service: " + done.jobs.front().status.trouble);
  return false;
}

}  // namespace surveybridge::daemon
