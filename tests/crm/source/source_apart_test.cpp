// A source whose ledger lies in another database than the rows: the CRM has no table of ours.
#include <gmock/gmock.h>

#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "connectors/crm/source/source.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono;
using testing::ElementsAre;
using testing::Pair;

constexpr Instant kToday = sys_days(2026y / June / 1) + 12h;

// Orders 1 to 5, one an hour, the last at noon; 6 and 7 have no date.
class SourcesApart : public OnEveryDatabase {
 protected:
  SourcesApart() {
    make_schema(*store);
    const char* type = speaks_mysql(GetParam()) ? "DATETIME" : "TIMESTAMP";
    crm.execute({std::string("CREATE TABLE orders (id INTEGER, at ") + type + " NULL)", {}});
    for (std::int64_t id = 1; id <= 5; ++id)
      add(id, mapping::LocalTime((kToday - hours(id)).time_since_epoch()));
    add(6, mapping::Null{});
    add(7, mapping::Null{});
  }
  void add(std::int64_t id, Value at) {
    crm.execute({"INSERT INTO orders VALUES (:p1, :p2)", {id, std::move(at)}});
  }
  void send(const std::vector<std::string>& keys) {
    std::vector<Claim> rows;
    std::vector<Ledger::Verdict> verdicts;
    for (const auto& key : keys) {
      rows.push_back({key, key + "@example.test", kToday});
      verdicts.push_back({key, State::sent, ""});
    }
    Ledger ledger(*store);
    ledger.claim({"batch " + keys.front(), "orders", "one"}, rows);
    ledger.settle("orders", "batch " + keys.front(), {Outcome::accepted, 200, ""}, verdicts);
  }

  support::TemporaryFolder folder;
  Database& crm = open();
  std::unique_ptr<Database> store =
      open_database("sqlite3://" + folder.path() + "/store.db", kSessionZone);
  Source source{crm, *store, {"orders", "SELECT id, at FROM orders", "id", "at", "UTC"}};
};
INSTANTIATE_TEST_SUITE_P(Databases, SourcesApart, every_dialect(), server_name);

TEST_P(SourcesApart, LeaveOutWhatTheLedgerElsewhereKnows) {
  send({"2", "4"});
  const Chunk chunk = source.chunk({kToday - 100h, kToday}, {}, 100);
  EXPECT_THAT(chunk.keys, ElementsAre("5", "3", "1"));
  EXPECT_EQ(chunk.rows, 5);
  EXPECT_EQ(source.count(kToday - 100h, kToday), 3);
}

TEST_P(SourcesApart, ReadWholeRowsOfWhatIsPendingThere) {
  send({"2"});
  Ledger ledger(*store);
  ledger.delay("orders", {{"3", "later", kToday - 200h}, {"99", "later", kToday - 200h}});
  const auto pending = source.pending(10);
  ASSERT_EQ(pending.rows.rows.size(), 1u);
  EXPECT_EQ(pending.rows.rows.front().key, "3");
  EXPECT_THAT(pending.gone, ElementsAre("99"));
}

TEST_P(SourcesApart, FindRowsWithoutADate) {
  EXPECT_THAT(source.undated(10), ElementsAre("6", "7"));
  Ledger(*store).set_aside("orders", State::quarantined, {{"6", "when: no date"}});
  EXPECT_THAT(source.undated(10), ElementsAre("7"));
}

TEST_P(SourcesApart, CountEachKeyOnce) {
  add(2, mapping::LocalTime((kToday - 50h).time_since_epoch()));
  send({"2", "4"});
  Ledger(*store).set_aside("orders", State::suppressed, {{"5", "opted out"}});
  const auto account = source.account(kToday - 100h, kToday - 4h, kToday);
  EXPECT_EQ(account.tally.keys, 5);
  EXPECT_THAT(account.tally.by_state, ElementsAre(Pair("sent", 2), Pair("suppressed", 1)));
  EXPECT_EQ(account.waiting, 2);
  EXPECT_EQ(account.too_old, 0);
}

}  // namespace
}  // namespace surveybridge::crm
