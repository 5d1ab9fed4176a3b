// `backfill`: a list's past, beside the running daemon. Walks its slices side by side under one
// pace; killed, the same command goes on where it was.
#include <algorithm>

#include <fmt/format.h>

#include "connectors/crm/pulled/pull_store.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/interruption.hpp"
#include "daemon/commands/print_json.hpp"
#include "daemon/commands/progress.hpp"
#include "daemon/job/fault.hpp"
#include "daemon/pull/backfill_plan.hpp"
#include "daemon/runtime/bridge.hpp"
#include "daemon/runtime/real_environment.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kLookAtLanes = std::chrono::milliseconds{100};
// A service or database that is away for longer is not waited for.
constexpr Duration kPatience = std::chrono::minutes{5};

// How all lanes together stand.
struct Sum {
  std::int64_t done = 0;
  std::size_t finished = 0;  // lanes
  JobStatus::Share windows;
  std::string trouble;
  bool hopeless = false;     // the configuration is wrong
  bool unreachable = false;  // every lane that is left waits for somebody who is away
};

Sum sum_of(const std::vector<JobState>& lanes) {
  Sum sum;
  std::size_t away = 0;
  for (const JobState& lane : lanes) {
    const JobStatus& status = lane.status;
    sum.done += status.done;
    sum.windows.done += status.share.done;
    sum.windows.of += status.share.of;
    if (status.caught_up) ++sum.finished;
    if (!status.trouble.empty()) sum.trouble = status.trouble;
    if (status.fault == JobStatus::Fault::configuration) sum.hopeless = true;
    if (is_temporary(status.fault)) ++away;
  }
  sum.unreachable = away > 0 && away + sum.finished == lanes.size();
  return sum;
}

// Until every lane is at its end, or cannot get there.
ExitCode wait_for_all(const Bridge& bridge, const std::string& list, std::int64_t windows,
                      Interruption& interruption, Progress& progress, Sum& sum) {
  std::optional<TimePoint> away_since;
  for (;;) {
    const auto lanes = bridge.states();
    sum = sum_of(lanes);
    // Before the first step of each lane nobody knows how many windows there are.
    if (sum.windows.of == windows)
      progress.show(
          "backfill." + list,
          {false, sum.done, fmt::format("{}, {}/{} windows", list, sum.windows.done, windows),
           sum.trouble, JobStatus::Fault::none, sum.windows});
    if (sum.finished == lanes.size()) return kDone;
    if (sum.hopeless) return kConfiguration;
    const TimePoint now = system_now();
    if (!sum.unreachable) away_since.reset();
    if (sum.unreachable && !away_since) away_since = now;
    if (away_since && now - *away_since > kPatience) return kUnreachable;
    if (!interruption.wait_until(now + kLookAtLanes)) {
      sum.trouble = "stopped; " + interruption.next();
      return kNeedsPerson;
    }
  }
}

ExitCode walk_all(const CommandContext& command, const Invocation& invocation,
                  const std::vector<WalkPlan>& plans, Interruption& interruption) {
  const std::string& list = invocation.name;
  const auto log = open_log();
  Progress progress(*log);
  Bridge bridge(command.settings, command.environment, progress.log(), *command.credentials,
                {.once = true,
                 .names = {list},
                 .backfill = plans,
                 .lanes = static_cast<std::size_t>(invocation.parallel),
                 .sessions = command.settings.crm.connections});
  Sum sum;
  bridge.start();
  const ExitCode code = wait_for_all(bridge, list, static_cast<std::int64_t>(plans.size()),
                                     interruption, progress, sum);
  if (code != kDone) interruption.stop();
  bridge.stop();
  bridge.join();
  progress.clear();
  if (invocation.json)
    print_json({{"list", list},
                {"done", sum.done},
                {"windows", plans.size()},
                {"walked", sum.windows.done},
                {"reason", or_null(code == kDone ? "" : sum.trouble)}});
  else
    fmt::print("{} {}, {} of {} windows walked to their end\n", sum.done, list, sum.windows.done,
               plans.size());
  if (code != kDone) report_error("backfill: " + sum.trouble);
  return code;
}

// Done: the next such command begins anew.
void forget_walks(const CommandContext& command, const std::string& list,
                  const std::vector<WalkPlan>& plans) {
  const auto database = command.environment.open_database();
  for (const auto& plan : plans)
    crm::drop_walk(*database, list, plan.name);
}

// Where it ends that nobody has said where: where the one ends that was begun and not finished,
// else now.
TimePoint end_of(const CommandContext& command, const config::Pull& pull, TimePoint from) {
  const TimePoint now = system_now();
  try {
    const auto database = command.environment.open_database();
    const auto begun = end_of_begun(pull, from, crm::walks_of(*database, pull.name));
    if (!begun) return now;
    report_error("backfill: goes on with the one that was begun, up to " +
                 mapping::write_instant(*begun));
    return *begun;
  } catch (const crm::DatabaseError&) {
    return now;  // nothing has ever been walked here; or the walks will say what is wrong
  }
}

}  // namespace

ExitCode command_backfill(const Invocation& invocation) {
  Interruption interruption("the same command goes on from here");
  const auto fill = [&](const CommandContext& command) -> ExitCode {
    const auto& settings = command.settings;
    const std::string& list = invocation.name;
    const auto pull = std::ranges::find(settings.pulls, list, &config::Pull::name);
    if (pull == settings.pulls.end()) {
      report_error("backfill: there is no [pull." + list + "] in the configuration");
      return kUsage;
    }
    const auto from = read_time(invocation.from, settings.crm.time_zone);
    auto to = invocation.to.empty() ? std::optional(system_now())
                                    : read_time(invocation.to, settings.crm.time_zone);
    if (!from || !to || *from >= *to) {
      report_error(
          "backfill: --from and --to are dates such as 2025-01-31, the first before the second");
      return kUsage;
    }
    if (invocation.to.empty()) to = end_of(command, *pull, *from);
    const auto plans = plan_backfill(*pull, settings.service.dialect, {*from, *to});
    const ExitCode code = walk_all(command, invocation, plans, interruption);
    if (code == kDone) forget_walks(command, list, plans);
    return code;
  };
  return with_context(invocation, fill, Uses::service, &interruption.flag());
}

}  // namespace surveybridge::daemon
