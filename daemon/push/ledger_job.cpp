#include "daemon/push/ledger_job.hpp"

#include <algorithm>

#include "connectors/crm/daemon_state/count_store.hpp"
#include "connectors/crm/erasure/event_prune.hpp"
#include "connectors/crm/pulled/arrivals.hpp"
#include "daemon/push/few_look.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kWalkEvery = std::chrono::hours{24};
constexpr int kRunsMost = 5;    // calls of prune_events() in a step
constexpr int kPruneRest = 50;  // the rest after a step, in times of what the step took
// A `sync` has no next step: it walks to the end, or until it has removed so many.
constexpr std::int64_t kRemovedAtOnce = 100'000;

}  // namespace

TimePoint LedgerJob::step(TimePoint now) {
  status_.caught_up = false;
  context_.open();
  if (now >= count_at_) {
    count_at_ = now + count();
    return now;
  }
  if (now >= arrivals_at_) {
    for (const auto& push : context_.settings().pushes) {
      crm::count_arrivals(context_.database(), push.name);
      look(push);
    }
    arrivals_at_ = now + kCountLeast;
    return now;
  }
  if (now >= prune_at_) {
    const Duration began = context_.environment().uptime();
    const bool at_end = prune();
    if (!at_end && context_.once() && removed_ < kRemovedAtOnce) return now;
    const Duration took = context_.environment().uptime() - began;
    prune_at_ = now + std::max(at_end ? kWalkEvery : Duration{0}, took * kPruneRest);
  }
  status_.caught_up = true;
  return std::min({count_at_, arrivals_at_, prune_at_});
}

// Returns the time until the next count. Another process may have counted; if that was in the
// future, the database's clock was wrong.
Duration LedgerJob::count() {
  const Duration began = context_.environment().uptime();
  const auto age = crm::age_of_kept_counts(context_.database());
  if (age && *age >= Duration{0} && *age < kCountLeast) return kCountLeast - *age;
  crm::renew_kept_counts(context_.database());
  return rest_after_count(context_.environment().uptime() - began);
}

// Where a query fails, its push tells it.
void LedgerJob::look(const config::Push& push) {
  try {
    keep_look(context_, push);
  } catch (const crm::DatabaseError&) {
    // Then nothing new is said of it.
  }
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
    end_walk();
    return true;
  }
  return false;
}

void LedgerJob::end_walk() {
  if (removed_ > 0)
    context_.log().info("removed " + std::to_string(removed_) +
                            " events of transactions, older than [ledger] keep_events",
                        {.job = name_});
  reached_ = removed_ = 0;
}

}  // namespace surveybridge::daemon
