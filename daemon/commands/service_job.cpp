#include "daemon/commands/service_job.hpp"

#include <utility>

#include "daemon/commands/progress.hpp"

namespace surveybridge::daemon {

ServiceJob::ServiceJob(const CommandContext& command, Interruption& interruption)
    : command_(command),
      interruption_(interruption),
      log_(open_log()),
      pace_(command.settings.service.pace, command.environment.uptime, command.environment.seed),
      random_(command.environment.seed),
      shared_{command.settings, command.environment, *log_, pace_, *command.credentials, true} {}

bool ServiceJob::run(std::unique_ptr<Job> job, std::int64_t expected,
                     const std::string& unfinished) {
  Progress progress(error_is_terminal());
  progress.expect(job->name(), expected);
  jobs_.clear();
  jobs_.push_back(std::make_unique<SupervisedJob>(std::move(job), *log_,
                                                  command_.environment.uptime, random_.seed()));
  const auto done = sync(jobs_, interruption_.clock(), [&](const auto& name, const auto& status) {
    progress.show(name, status);
  });
  progress.clear();
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
