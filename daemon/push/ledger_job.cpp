#include "daemon/push/ledger_job.hpp"

#include <algorithm>

#include "connectors/crm/daemon_state/count_store.hpp"
#include "connectors/crm/erasure/event_prune.hpp"
#include "daemon/push/count_rest.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kWalkEvery = std::chrono::hours{24};
constexpr int kRunsMost = 5;    // of prune_events() in a step
constexpr int kPruneRest = 50;  // times as long as pruning took: two hundredths of the time

}  // namespace

TimePoint LedgerJob::step(TimePoint now) {
  status_.caught_up = false;
  context_.open();
  if (now >= count_at_) {
    count_at_ = now + count();
    return now;
  }
  const Duration began = context_.environment().uptime();
  if (now >= prune_at_) {
    const Duration rest = prune() ? kWalkEvery : Duration{0};
    const Duration took = context_.environment().uptime() - began;
    prune_at_ = now + std::max(rest, took * kPruneRest);
  }
  status_.caught_up = true;
  return std::min(count_at_, prune_at_);
}

// Returns how long the numbers are good for. Another daemon may have counted; where it did so in
// the future, the database's clock was wrong.
Duration LedgerJob::count() {
  const Duration began = context_.environment().uptime();
  const auto age = crm::age_of_kept_counts(context_.database());
  if (age && *age >= Duration{0} && *age < kCountLeast) return kCountLeast - *age;
  crm::renew_kept_counts(context_.database());
  return rest_after_count(context_.environment().uptime() - began);
}

// True at the end of the walk.
bool LedgerJob::prune() {
  crm::Database& database = context_.database();
  const TimePoint before = database.now() - context_.settings().ledger.keep_events;
  for (int run = 0; run < kRunsMost; ++run) {
    const auto pruned = crm::prune_events(database, before, reached_);
    removed_ += pruned.removed;
    reached_ = pruned.reached;
    if (!pruned.at_end) continue;
    if (removed_ > 0)
      context_.log().info(std::to_string(removed_) +
                              " steps of transactions were older than [ledger] keep_events and are"
                              " removed",
                          {.job = name_});
    reached_ = removed_ = 0;
    return true;
  }
  return false;
}

}  // namespace surveybridge::daemon
