// What is old is removed in slices, so that a step ends however much there is; events of unfinished
// transactions stay.
#include "connectors/crm/erasure/prune.hpp"

#include <gmock/gmock.h>

#include "connectors/crm/erasure/event_prune.hpp"
#include "connectors/crm/pulled/pull_store.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/crm/ledgers.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class PruneTests : public Ledgers {
 protected:
  void store(int ratings) {
    std::vector<mapping::Record> records;
    for (std::int64_t id = 1; id <= ratings; ++id) {
      records.emplace_back(mapping::rating());
      records.back().set("Id", id);
      records.back().set("FinishedDate", kDate);
    }
    PullStore pulled(database, mapping::rating(), {});
    pulled.save(records, pulled.load("ratings", "FinishedDate"), std::nullopt);
  }
  std::int64_t prune_before(Instant before) {
    return prune(database, mapping::rating(), "FinishedDate", before, 1);
  }
};

TEST_P(PruneTests, EndAfterAFullTransactionOnceEnoughIsRemoved) {
  store(600);
  EXPECT_EQ(prune_before(kDate), 0);
  EXPECT_EQ(prune_before(kDate + std::chrono::hours{1}), 500);
  EXPECT_EQ(prune_before(kDate + std::chrono::hours{1}), 100);
  EXPECT_EQ(prune_before(kDate + std::chrono::hours{1}), 0);
}

INSTANTIATE_TEST_SUITE_P(Databases, PruneTests, every_dialect(), server_name);

class EventPruneTests : public OnOurTables {
 protected:
  void transaction(const std::string& key, const char* state, Instant changed_at) {
    put_in_ledger(database, "orders", key, state, changed_at, changed_at);
  }
  void event(const std::string& key, const char* state, Instant at) {
    run_statement(database,
                  R"(INSERT INTO "survey_push_event" ("push", "key", "at", "state"))"
                  R"( VALUES ('orders', {key}, {instant}, {key}))",
                  {key, at, state});
  }
  std::vector<std::string> left() {
    std::vector<std::string> lines;
    for (const auto& row :
         query_rows(database, R"(SELECT "key", "state" FROM "survey_push_event" ORDER BY "id")"))
      lines.push_back(text_in(row.at(0)) + " " + text_in(row.at(1)));
    return lines;
  }
  // `most` at a time; returns how many were removed.
  std::int64_t prune_all(int most) {
    std::int64_t removed = 0;
    PrunedEvents pruned;
    for (int step = 0; step < 100 && !pruned.at_end; ++step) {
      pruned = prune_events(database, kBefore, pruned.reached, most);
      removed += pruned.removed;
    }
    EXPECT_TRUE(pruned.at_end);
    return removed;
  }
  static constexpr Instant kBefore{std::chrono::sys_days{std::chrono::year{2026} / 11 / 1}};
  Database& database = open();
};
INSTANTIATE_TEST_SUITE_P(Databases, EventPruneTests, every_dialect(), server_name);

TEST_P(EventPruneTests, RemovesWhatIsOldOfTransactionsThatAreDone) {
  for (const char* key : {"1", "2", "3", "4", "5"}) {
    transaction(key, "sent", kBefore - 1h);
    event(key, "claimed", kBefore - 2h);
    event(key, "sent", kBefore - 1h);
  }
  transaction("6", "suppressed", kBefore - 1h);
  event("6", "suppressed", kBefore - 1h);
  transaction("7", "sent", kBefore + 1h);
  event("7", "claimed", kBefore - 1s);
  event("7", "sent", kBefore + 1h);
  for (const int most : {3, 1000}) {
    EXPECT_EQ(prune_all(most), most == 3 ? 11 : 0);
    EXPECT_THAT(left(), ElementsAre("7 claimed", "7 sent"));
  }
}

TEST_P(EventPruneTests, LeavesThoseOfATransactionThatAPersonOrAJobMayDecide) {
  for (const char* state : {"pending", "claimed", "in_doubt", "held", "quarantined"}) {
    transaction(state, state, kBefore - 1h);
    event(state, state, kBefore - 1h);
  }
  transaction("sent", "sent", kBefore - 1h);
  event("sent", "sent", kBefore - 1h);
  event("of no transaction", "sent", kBefore - 1h);
  EXPECT_EQ(prune_all(2), 1);
  EXPECT_THAT(left(),
              ElementsAre("pending pending", "claimed claimed", "in_doubt in_doubt", "held held",
                          "quarantined quarantined", "of no transaction sent"));
}

TEST_P(EventPruneTests, EndsAtTheFirstEventThatIsNotOld) {
  transaction("1", "sent", kBefore - 1h);
  event("1", "sent", kBefore);
  event("1", "sent", kBefore - 1h);
  const auto pruned = prune_events(database, kBefore, 0);
  EXPECT_EQ(pruned.removed, 0);
  EXPECT_TRUE(pruned.at_end);
}

}  // namespace
}  // namespace surveybridge::crm
