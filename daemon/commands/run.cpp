#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "daemon/bridge.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/interruption.hpp"
#include "daemon/commands/office.hpp"
#include "daemon/desk.hpp"
#include "daemon/process/notify.hpp"
#include "daemon/process/real_world.hpp"
#include "daemon/process/scheduler.hpp"
#include "daemon/process/signals.hpp"
#include "daemon/status/watch.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kStatusEvery = std::chrono::seconds{10};

// "2 jobs in trouble: push.orders: HTTP 503" or how much has been done.
std::string summary(const std::vector<std::unique_ptr<Guard>>& jobs,
                    const std::vector<Standing>& standings) {
  std::string text;
  for (std::size_t i = 0; i < standings.size(); ++i) {
    const auto& standing = standings[i];
    if (!text.empty()) text += "; ";
    text += jobs[i]->name() + ": ";
    text += standing.trouble.empty() ? std::to_string(standing.done) + " " + standing.unit
                                     : standing.trouble;
  }
  return text;
}

// The status page, where one is wanted. The server ends before what it asks.
struct Page {
  std::unique_ptr<StatusWatch> watch;
  std::unique_ptr<StatusServer> server;
};

Page open_page(const Office& office, Bridge& bridge, const Scheduler& scheduler, Duration longest) {
  Page page;
  if (!office.settings.status) return page;
  const auto jobs = [&bridge, &scheduler] {
    std::vector<JobState> states;
    const auto standings = scheduler.standings();
    for (std::size_t i = 0; i < standings.size(); ++i)
      states.push_back({bridge.jobs()[i]->name(), standings[i]});
    return states;
  };
  const auto alive = [&scheduler, longest] { return scheduler.steps_within(longest); };
  page.watch = std::make_unique<StatusWatch>(office.settings, office.world,
                                             StatusWatch::Daemon{jobs, alive});
  page.server = std::make_unique<StatusServer>(
      office.settings.status->listen,
      [watch = page.watch.get()](const std::string& path) { return watch->answer(path); });
  return page;
}

// A database that does not answer keeps no stop waiting: whoever is killed here has lost nothing.
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
  std::atomic<bool> stop{false};
  const auto office = open_office(invocation, &stop);
  if (!office || !maps_are_right(office->settings)) return kConfiguration;
  const auto log = open_log();
  Bridge bridge(office->settings, office->world, *log, *office->credentials, {});
  Scheduler scheduler(bridge.jobs(), system_now);
  const Duration longest = 2 * lease_duration(office->settings);
  Page page;
  try {
    page = open_page(*office, bridge, scheduler, longest);
  } catch (const std::runtime_error& error) {
    complain(error.what());
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
