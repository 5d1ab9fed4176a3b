#include "daemon/runtime/bridge.hpp"

#include <algorithm>

#include "daemon/lists/pull_filters.hpp"
#include "daemon/pull/backfill_worker.hpp"
#include "daemon/pull/pace_job.hpp"
#include "daemon/pull/pull_job.hpp"
#include "daemon/pull/reference_data_job.hpp"
#include "daemon/pull/write_back_job.hpp"
#include "daemon/push/ledger_job.hpp"
#include "daemon/push/never_listed.hpp"
#include "daemon/push/push_job.hpp"
#include "daemon/reconcile/reconcile_job.hpp"

namespace surveybridge::daemon {

namespace {

bool chosen(const Bridge::JobSelection& choice, const std::string& kind, const std::string& name) {
  const auto has = [&](const std::string& word) {
    return std::find(choice.names.begin(), choice.names.end(), word) != choice.names.end();
  };
  return choice.names.empty() || has(kind) || has(name) || has(kind + "." + name);
}

}  // namespace

Bridge::Bridge(const config::Settings& settings, Environment environment, Log& log,
               service::Credentials& credentials, const JobSelection& choice)
    : world_(std::move(environment)),
      log_(log),
      pace_(settings.service.pace, world_.uptime, ~world_.seed, *world_.recorder),
      random_(world_.seed),
      outage_(log_, world_.uptime) {
  const Shared shared{settings, world_, log, pace_, credentials, choice.once, &has_tables_};
  if (!choice.backfill.empty()) {
    add_backfill(shared, choice);
    return;
  }
  // `sync` runs one job after another: with [suppress] the pulls come first.
  if (settings.suppress) add_pulls(shared, choice);
  for (const auto& push : settings.pushes) {
    if (!chosen(choice, "push", push.name)) continue;
    add(std::make_unique<PushJob>(push, shared, random_.seed()));
    add(std::make_unique<ReconcileJob>(push, shared, random_.seed()));
  }
  if (!settings.suppress) add_pulls(shared, choice);
  const bool pushes = std::ranges::any_of(
      settings.pushes, [&](const config::Push& push) { return chosen(choice, "push", push.name); });
  if (pushes) add(std::make_unique<LedgerJob>(shared));
  if (choice.once) return;  // `status` counts for itself
  for (const auto& push : settings.pushes) {
    if (push.correlate.empty() || !chosen(choice, "push", push.name)) continue;
    add(std::make_unique<NeverListedJob>(push, shared, random_.seed()));
  }
}

void Bridge::add_pulls(const Shared& shared, const JobSelection& choice) {
  const auto& settings = shared.settings;
  const bool pulls = std::ranges::any_of(
      settings.pulls, [&](const config::Pull& pull) { return chosen(choice, "pull", pull.name); });
  if (pulls) add(std::make_unique<ReferenceDataJob>(shared, random_.seed()));
  for (const auto& pull : settings.pulls) {
    if (!chosen(choice, "pull", pull.name)) continue;
    // With a queue the job writes what the walks have stored, so `sync` runs it after them.
    const bool queue = static_cast<bool>(world_.open_crm);
    if (!pull.writes.empty() && !queue) add(std::make_unique<WriteBackJob>(pull, shared));
    for (auto& plan : plan_walks(pull, settings.service.dialect)) {
      add(std::make_unique<PullJob>(pull, std::move(plan), shared, random_.seed()));
    }
    if (!pull.writes.empty() && queue) add(std::make_unique<WriteBackJob>(pull, shared));
  }
  if (!choice.once) add(std::make_unique<PaceJob>(shared));
}

// The oldest windows first, in whichever lane they are.
void Bridge::add_backfill(const Shared& shared, const JobSelection& choice) {
  const auto pull =
      std::ranges::find(shared.settings.pulls, choice.names.at(0), &config::Pull::name);
  if (pull == shared.settings.pulls.end()) return;
  std::vector<std::vector<std::unique_ptr<Job>>> lanes(
      std::min(choice.lanes, choice.backfill.size()));
  for (std::size_t i = 0; i < choice.backfill.size(); ++i) {
    lanes[i % lanes.size()].push_back(
        std::make_unique<PullJob>(*pull, choice.backfill[i], shared, random_.seed()));
  }
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const std::string name = "backfill." + pull->name + "." + std::to_string(i + 1);
    add(std::make_unique<BackfillWorker>(name, std::move(lanes[i])));
  }
}

void Bridge::add(std::unique_ptr<Job> job) {
  jobs_.push_back(std::make_unique<SupervisedJob>(std::move(job), log_, world_.uptime,
                                                  random_.seed(),
                                                  DatabaseSigns{&outage_, world_.answered}));
}

std::vector<std::string> names_of(const config::Settings& settings) {
  std::vector<std::string> names{"push", "pull"};
  for (const auto& push : settings.pushes)
    names.push_back(push.name);
  for (const auto& pull : settings.pulls)
    names.push_back(pull.name);
  for (const auto& push : settings.pushes)
    names.push_back("push." + push.name);
  for (const auto& pull : settings.pulls)
    names.push_back("pull." + pull.name);
  return names;
}

}  // namespace surveybridge::daemon
