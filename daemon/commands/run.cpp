#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/interruption.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/runtime/bridge.hpp"
#include "daemon/runtime/notify.hpp"
#include "daemon/runtime/real_environment.hpp"
#include "daemon/runtime/scheduler.hpp"
#include "daemon/runtime/signals.hpp"
#include "daemon/status/watch.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kStatusEvery = std::chrono::seconds{10};

// "2 jobs in trouble: push.orders: HTTP 503", or how much was done.
std::string summary(const std::vector<std::unique_ptr<SupervisedJob>>& jobs,
                    const std::vector<JobStatus>& standings) {
  std::string text;
  for (std::size_t i = 0; i < standings.size(); ++i) {
    const auto& status = standings[i];
    if (!text.empty()) text += "; ";
    text += jobs[i]->name() + ": ";
    text +=
        status.trouble.empty() ? std::to_string(status.done) + " " + status.unit : status.trouble;
  }
  return text;
}

// The status page, if it is configured. The server is destroyed before the objects that it uses.
struct Page {
  std::unique_ptr<StatusWatch> watch;
  std::unique_ptr<StatusServer> server;
};

Page open_page(const CommandContext& command, Bridge& bridge, const Scheduler& scheduler,
               Duration longest) {
  Page page;
  if (!command.settings.status) return page;
  const auto jobs = [&bridge, &scheduler] {
    std::vector<JobState> states;
    const auto standings = scheduler.standings();
    for (std::size_t i = 0; i < standings.size(); ++i)
      states.push_back({bridge.jobs()[i]->name(), standings[i]});
    return states;
  };
  const auto alive = [&scheduler, longest] { return scheduler.steps_within(longest); };
  page.watch = std::make_unique<StatusWatch>(command.settings, command.environment,
                                             StatusWatch::Daemon{jobs, alive});
  page.server = std::make_unique<StatusServer>(
      command.settings.status->listen,
      [watch = page.watch.get()](const std::string& path) { return watch->answer(path); });
  return page;
}

// A database that does not answer must not delay a stop; a killed statement loses nothing.
[[noreturn]] void give_up(Log& log) {
  log.error(
      "the database does not answer: stopped without it. What is claimed is looked up at the next"
      " start");
  std::_Exit(kUnreachable);
}

Duration watch_interval() {
  const auto watchdog = watchdog_interval();
  return watchdog ? std::min<Duration>(*watchdog / 2, kStatusEvery) : kStatusEvery;
}

}  // namespace

ExitCode command_run(const Invocation& invocation) {
  Signals signals;
  ignore_hangup();
  std::atomic<bool> stop{false};
  const auto command = open_command_context(invocation, &stop);
  if (!command || !maps_are_right(command->settings)) return kConfiguration;
  const auto log = open_log();
  Bridge bridge(command->settings, command->environment, *log, *command->credentials, {});
  Scheduler scheduler(bridge.jobs(), system_now);
  const Duration longest = 2 * lease_duration(command->settings);
  Page page;
  try {
    page = open_page(*command, bridge, scheduler, longest);
  } catch (const std::runtime_error& error) {
    report_error(error.what());
    return kConfiguration;
  }
  scheduler.start();
  notify_ready();
  if (page.server) log->info("status page on port " + std::to_string(page.server->port()));
  log->info("started with " + std::to_string(bridge.jobs().size()) + " jobs");
  while (!signals.wait(watch_interval())) {
    if (scheduler.steps_within(longest)) notify_alive();
    notify_status(summary(bridge.jobs(), scheduler.standings()));
  }
  notify_stopping();
  log->info("stopping");
  stop = true;
  scheduler.stop();
  if (!scheduler.join_within(kStopsWithin)) give_up(*log);
  log->info("stopped");
  return kDone;
}

}  // namespace surveybridge::daemon
