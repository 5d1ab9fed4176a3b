#include <algorithm>
#include <atomic>

#include "daemon/bridge.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/office.hpp"
#include "daemon/desk.hpp"
#include "daemon/notify.hpp"
#include "daemon/real_world.hpp"
#include "daemon/scheduler.hpp"
#include "daemon/signals.hpp"

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
  scheduler.start();
  notify_ready();
  log->info("started with " + std::to_string(bridge.jobs().size()) + " jobs");
  while (!signals.wait(watch_interval())) {
    if (scheduler.steps_within(longest)) notify_alive();
    notify_status(summary(bridge.jobs(), scheduler.standings()));
  }
  notify_stopping();
  log->info("stopping");
  stop = true;
  scheduler.stop();
  scheduler.join();
  log->info("stopped");
  return kDone;
}

}  // namespace surveybridge::daemon
