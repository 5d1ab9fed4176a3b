#include "connectors/crm/pulled/follow_up_store.hpp"

#include <gmock/gmock.h>

#include "connectors/crm/pulled/record_store.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "connectors/crm/schema/schema_version.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/crm/turned_clock.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;

class FollowUpStoreTests : public OnOurTables {
 protected:
  static constexpr Instant kFound{std::chrono::sys_days{std::chrono::year{2026} / 11 / 1}};
  static FollowUp of(const std::string& record, const std::string& receiver, Instant at = kFound) {
    return {"customers", "unhappy", record, receiver, at};
  }
  std::optional<FollowUp> next(const std::string& receiver, Instant from = kFound) {
    const auto waiting = store.waiting("customers", "unhappy", receiver, from);
    return waiting.empty() ? std::nullopt : std::optional(waiting.front());
  }
  TurnedClock database{open()};
  FollowUpStore store{database};
};

TEST_P(FollowUpStoreTests, GiveEachAnswerToEachReceiverOnce) {
  store.add({of("7", "sales"), of("7", "chat"), of("8", "sales", kFound + 1h)});
  store.add({of("7", "sales", kFound + 2h), of("7", "late", kFound + 2h)});
  EXPECT_EQ(next("late"), std::nullopt) << "it was found before";
  auto first = next("sales").value();
  EXPECT_EQ(first, of("7", "sales"));
  first.claimed_at = kFound + 1min;
  EXPECT_TRUE(store.mark(first));
  EXPECT_EQ(next("sales"), first);
  first.told_at = kFound + 2min;
  EXPECT_TRUE(store.mark(first));
  EXPECT_EQ(next("sales"), of("8", "sales", kFound + 1h));
  EXPECT_EQ(next("sales", kFound + 90min), std::nullopt);
  EXPECT_EQ(next("chat"), of("7", "chat"));
}

TEST_P(FollowUpStoreTests, AreCountedWhileTheyWait) {
  const auto backlog = [&](const std::string& receiver, Instant from) {
    const auto found = store.backlog("customers", "unhappy", receiver, from);
    return found ? std::pair(found->messages, found->oldest)
                 : std::pair(std::int64_t{0}, Instant{});
  };
  EXPECT_FALSE(store.backlog("customers", "unhappy", "sales", kFound));
  store.add({of("7", "sales"), of("8", "sales", kFound + 1h), of("7", "chat")});
  EXPECT_EQ(backlog("sales", kFound), std::pair(std::int64_t{2}, kFound));
  EXPECT_EQ(backlog("sales", kFound + 1h), std::pair(std::int64_t{1}, kFound + 1h)) << "too old";
  auto first = next("sales").value();
  first.claimed_at = kFound + 1min;
  store.mark(first);
  EXPECT_EQ(backlog("sales", kFound).first, 2) << "it may not have arrived";
  first.told_at = kFound + 2min;
  store.mark(first);
  EXPECT_EQ(backlog("sales", kFound), std::pair(std::int64_t{1}, kFound + 1h));
}

TEST_P(FollowUpStoreTests, GoWithTheirRecord) {
  store.add({of("7", "sales"), of("8", "sales")});
  const std::vector<Value> seven{std::int64_t{7}};
  std::size_t shown = 0;
  for (const auto& [table, rows] : rows_to_erase(database, mapping::customer(), seven))
    if (table->name == "survey_follow_up") shown += rows.rows.size();
  EXPECT_EQ(shown, 1u);
  erase(database, mapping::customer(), seven);
  EXPECT_EQ(next("sales"), of("8", "sales"));
  EXPECT_FALSE(store.mark(of("7", "sales")));
  store.remove(of("8", "sales"));
  EXPECT_EQ(next("sales"), std::nullopt);
}

TEST_P(FollowUpStoreTests, StayWhereTheyWereToldOfARecordThatIsOnlyTooOld) {
  auto told = of("7", "sales");
  told.told_at = kFound + 1min;
  store.add({told, of("7", "chat")});
  erase(database, mapping::customer(), {std::int64_t{7}}, Stays::who_was_told);
  EXPECT_EQ(next("chat"), std::nullopt);
  store.add({of("7", "sales")});
  EXPECT_EQ(next("sales"), std::nullopt) << "it was told";
  erase(database, mapping::customer(), {std::int64_t{7}});
  store.add({of("7", "sales")});
  EXPECT_EQ(next("sales"), of("7", "sales")) << "nothing is left of it";
}

// A daemon that was not stopped before `move` still looks there.
TEST_P(FollowUpStoreTests, DoNotWaitWhereTheTablesHaveMovedAway) {
  store.add({of("7", "sales")});
  put(database, upsert(database.dialect(), seal_table()),
      {{std::string(kMovedSeal), std::string("2026-11-01T00:00:00Z")}});
  EXPECT_EQ(next("sales"), std::nullopt);
  EXPECT_FALSE(store.backlog("customers", "unhappy", "sales", kFound));
}

TEST_P(FollowUpStoreTests, KnowSinceWhenTheyAreThere) {
  const Instant since = store.since("customers", "unhappy");
  database.advance(1h);
  EXPECT_EQ(store.since("customers", "unhappy"), since);
  EXPECT_GT(store.since("ratings", "unhappy"), since);
  EXPECT_EQ(next("", since), std::nullopt) << "nobody is told of that row";
  database.advance(-24h);
  EXPECT_EQ(store.since("customers", "unhappy"), database.time) << "the clock was ahead";
}

INSTANTIATE_TEST_SUITE_P(Databases, FollowUpStoreTests, every_dialect(), server_name);

}  // namespace
}  // namespace surveybridge::crm
