// After a query is widened, or the CRM is another one, older rows wait for a person's word.
#include <gmock/gmock.h>

#include "connectors/crm/daemon_state/brakes.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "mapping/values/dates.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using testing::HasSubstr;

// 20 orders of which every fifth one is asked about, and none has gone out yet.
class Share : public in_process::Shop {
 protected:
  Share() {
    settings_.pulls.clear();
    share(5);
    for (int id = 1; id <= 20; ++id)
      order(id);
    settings_.pushes.at(0).brake = true;
  }
  void order(int id) {
    sql("INSERT INTO orders SELECT '" + std::to_string(id) + "', 'p" + std::to_string(id) +
        "@example.test', '5', '" + mapping::write_instant(clock_.now - 1h) + "'");
  }
  // Every so many-th order is asked about.
  void share(int each) {
    query("SELECT * FROM orders WHERE CAST(id AS INTEGER) % " + std::to_string(each) + " = 0");
  }
  void release(std::int64_t rows) {
    const auto& push = settings_.pushes.at(0);
    const auto& zone = settings_.crm.time_zone;
    crm::Brakes(*crm_).release("orders", daemon::fingerprint_of(push, zone), rows, "", "",
                               daemon::query_text(push, {zone}));
  }
  std::string reason() { return crm::Brakes(*crm_).load("orders")->reason; }
};

// The first run is over.
class WidenedQuery : public Share {
 protected:
  WidenedQuery() {
    sync();
    release(4);
    sync();
    EXPECT_EQ(mailed(), 4u);
    clock_.now += 24h;
    sync();
  }
};

TEST_F(Share, HoldsOlderRowsWhereTheFirstRunIsNotOver) {
  settings_.pushes.at(0).batch.size = 1;
  sync();
  release(4);
  {
    in_process::Instance daemon(settings_, outside_, 5);
    for (int i = 0; i < 100 && mailed() == 0; ++i)
      daemon.step();
    daemon.leave();
  }
  ASSERT_EQ(mailed(), 1u);
  ASSERT_EQ(number("SELECT COUNT(*) FROM survey_sweep WHERE rows >= 0"), 0);
  share(2);
  sync();
  EXPECT_EQ(mailed(), 1u);
  EXPECT_THAT(reason(), HasSubstr("8 are from before"));
}

TEST_F(WidenedQuery, HoldsOlderRowsUntilAPersonReleasesIt) {
  share(2);
  order(22);
  for (int i = 0; i < 3; ++i) {
    sync();
    clock_.now += 1h;
  }
  EXPECT_EQ(mailed(), 4u);
  EXPECT_THAT(reason(), HasSubstr("of 9 transactions that would go out 9 are from before"));
  EXPECT_THAT(reason(), testing::ContainsRegex("the oldest of 20[-0-9]+[T ][:0-9]+Z?$"))
      << "without a fraction of a second";
  release(9);
  sync();
  EXPECT_EQ(mailed(), 13u);
}

// Not each sweep is stored: the last batch is later than the last one that was.
TEST_F(WidenedQuery, HoldsWhatWentOutSinceTheLastSweepUnderAnotherKey) {
  {
    in_process::Instance daemon(settings_, outside_, 5);
    daemon.run_until(clock_.now + 1min);
    for (int id : {25, 30}) {
      order(id);
      sql("UPDATE orders SET delivered_at = '" + mapping::write_instant(clock_.now) +
          "' WHERE id = '" + std::to_string(id) + "'");
      daemon.run_until(clock_.now + 2min);
    }
    daemon.leave();
  }
  ASSERT_EQ(mailed(), 6u);
  query(
      "SELECT 'n' || id AS id, email, grade, delivered_at FROM orders WHERE"
      " CAST(id AS INTEGER) % 5 = 0");
  sync();
  EXPECT_EQ(mailed(), 6u);
  EXPECT_THAT(reason(), HasSubstr("6 are from before"));
}

TEST_F(WidenedQuery, LetsGoWhatIsLaterThanTheChange) {
  share(2);
  order(22);
  sql("DELETE FROM orders WHERE CAST(id AS INTEGER) < 21");
  clock_.now += 2h;
  sql("UPDATE orders SET delivered_at = '" + mapping::write_instant(clock_.now - 1h) + "'");
  sync();
  EXPECT_EQ(mailed(), 5u);
}

// Row 25 is older than the last sweep, as rows are that are committed late.
TEST_F(WidenedQuery, LetsGoWhatTheQueryOfBeforeReturnsToo) {
  query("SELECT *, 1 AS one FROM orders WHERE CAST(id AS INTEGER) % 5 = 0");
  order(25);
  sync();
  EXPECT_EQ(mailed(), 5u);
}

// The same rows are others under other keys.
TEST_F(WidenedQuery, HoldsOlderRowsWhereTheKeyIsAnother) {
  query(
      "SELECT 'n' || id AS id, email, grade, delivered_at FROM orders WHERE"
      " CAST(id AS INTEGER) % 5 = 0");
  sync();
  EXPECT_EQ(mailed(), 4u);
  EXPECT_THAT(reason(), HasSubstr("4 are from before"));
}

// A database writes keys that are made of times in the session's zone; this one is told what they
// are then.
TEST_F(WidenedQuery, HoldsOlderRowsWhereTheZoneOfTheCrmIsAnother) {
  settings_.crm.time_zone = "Europe/Amsterdam";
  sync();
  EXPECT_EQ(reason(), "") << "the keys are the same, and nothing waits";
  sql("UPDATE orders SET id = id || '+01'");
  sync();
  EXPECT_EQ(mailed(), 4u);
  EXPECT_THAT(reason(), HasSubstr("[crm] time_zone was changed: of 4 transactions that would go "
                                  "out 4 are from before"));
  sql("UPDATE orders SET id = replace(id, '+01', '')");
  settings_.crm.time_zone = "UTC";
  order(25);
  sync();
  EXPECT_EQ(mailed(), 5u);
  EXPECT_EQ(reason(), "");
}

TEST_F(WidenedQuery, HoldsOlderRowsWhereTheQueryOfBeforeCannotBeAskedAnyMore) {
  sql("ALTER TABLE orders RENAME TO sales");
  query("SELECT * FROM sales WHERE CAST(id AS INTEGER) % 2 = 0");
  sync();
  EXPECT_EQ(mailed(), 4u);
  EXPECT_THAT(reason(), HasSubstr("8 are from before"));
}

// Id 100 is from before the window, and from before the last sweep.
TEST_F(WidenedQuery, HoldsWhatOnlyALongerLookBackOrAnEarlierStartFinds) {
  auto& push = settings_.pushes.at(0);
  sql("INSERT INTO orders SELECT '100', 'p100@example.test', '5', '" +
      mapping::write_instant(clock_.now - push.look_back - 48h) + "'");
  sync();
  ASSERT_EQ(mailed(), 4u);
  const auto usual = push.look_back;
  push.look_back += 240h;
  push.start.local -= 2400h;
  sync();
  EXPECT_EQ(mailed(), 4u);
  EXPECT_THAT(reason(), HasSubstr("of 1 transaction that would go out 1 are from before"));
  push.look_back = usual;
  sync();
  EXPECT_EQ(mailed(), 4u);
  EXPECT_NE(reason(), "") << "the start is still an earlier one";
}

TEST_F(WidenedQuery, LeavesQuarantinedWhatOnlyTheChangedQueryFinds) {
  sql("INSERT INTO orders VALUES ('50', 'p50@example.test', '5', NULL)");
  clock_.now += 24h;
  sync();
  ASSERT_EQ(state("50"), crm::State::quarantined);
  query("SELECT id, email, grade, COALESCE(delivered_at, '" +
        mapping::write_instant(clock_.now - 2h) +
        "') AS delivered_at FROM orders WHERE CAST(id AS INTEGER) % 5 = 0");
  order(25);
  for (int i = 0; i < 3; ++i) {
    sync();
    clock_.now += 24h;
  }
  EXPECT_EQ(mailed(), 5u);
  EXPECT_EQ(state("50"), crm::State::quarantined);
}

TEST_F(WidenedQuery, LetsNothingGoByAReleaseForAnotherQuery) {
  share(2);
  sync();
  release(8);
  share(1);
  sync();
  EXPECT_EQ(mailed(), 4u);
  EXPECT_THAT(reason(), HasSubstr("of 16 transactions that would go out 8 are from before"));
  share(2);
  sync();
  EXPECT_EQ(mailed(), 12u);
}

TEST_F(WidenedQuery, AsksAgainWhereTheAccountIsAnotherOne) {
  settings_.service.auth.user = "branch1";
  order(25);
  sync();
  EXPECT_EQ(mailed(), 4u);
  EXPECT_THAT(reason(), HasSubstr("that wait would go to http://127.0.0.1:1 as branch1"));
}

TEST_F(WidenedQuery, EndsTheHoldWhereItIsTakenBack) {
  share(2);
  sync();
  ASSERT_NE(reason(), "");
  share(5);
  order(25);
  sync();
  EXPECT_EQ(mailed(), 5u);
  EXPECT_EQ(reason(), "");
  const std::string url = settings_.service.base_url;
  settings_.service.base_url = "http://127.0.0.1:2";
  order(30);
  sync();
  ASSERT_THAT(reason(), HasSubstr("the service was changed"));
  settings_.service.base_url = url;
  sync();
  EXPECT_EQ(mailed(), 6u);
}

// The ledger has a database of its own, and 4 orders of the first CRM have gone out.
class MovedCrm : public in_process::Shop {
 protected:
  MovedCrm() {
    settings_.pulls.clear();
    settings_.store.emplace().connection = {config::Secret::From::plain, connection_};
    settings_.pushes.at(0).brake = true;
    move_to("old");
    fill("");
    sync();
    release(4);
    sync();
    EXPECT_EQ(mailed(), 4u);
    clock_.now += 24h;
    sync();
  }
  void move_to(const std::string& name) { outside_.crm = folder_.path() + "/" + name + ".db"; }
  void in_crm(const std::string& text) {
    crm::open_database("sqlite3://" + outside_.crm)->execute({text, {}});
  }
  void order(const std::string& id, const std::string& person) {
    in_crm("INSERT INTO orders VALUES ('" + id + "', 'p" + person + "@example.test', '5', '" +
           mapping::write_instant(clock_.now - 1h) + "')");
  }
  void fill(const std::string& prefix) {
    in_crm("CREATE TABLE orders (id TEXT, email TEXT, grade TEXT, delivered_at TEXT)");
    for (const std::string id : {"1", "2", "3", "4"})
      order(prefix + id, id);
    in_crm("UPDATE orders SET delivered_at = '2026-11-09T12:00:00Z'");
  }
  std::string reason() { return crm::Brakes(*crm_).load("orders")->reason; }
};

TEST_F(MovedCrm, HoldsWhatWasSentUnderOtherKeysUntilItIsTakenBack) {
  move_to("new");
  fill("n");
  order("n5", "5");
  for (int i = 0; i < 3; ++i) {
    sync();
    clock_.now += 1h;
  }
  EXPECT_EQ(mailed(), 4u);
  EXPECT_THAT(reason(), testing::MatchesRegex(".crm. connection was changed: it was the database "
                                              "SQLite .*/old.db and is SQLite .*/new.db, .*; of 5 "
                                              "transactions that would go out [45] are from .*"));
  move_to("old");
  order("5", "5");
  sync();
  EXPECT_EQ(mailed(), 5u);
  EXPECT_EQ(reason(), "");
}

TEST_F(MovedCrm, GoesOnWhereKeysAreTheSame) {
  move_to("new");
  fill("");
  clock_.now += 2h;
  order("5", "5");
  sync();
  EXPECT_EQ(mailed(), 5u);
  order("6", "6");
  sync();
  EXPECT_EQ(mailed(), 6u);
  EXPECT_EQ(reason(), "");
}

TEST_F(MovedCrm, LetsNothingGoByAReleaseForAnotherDatabase) {
  const auto state = crm::Brakes(*crm_).load("orders").value();
  crm::Brakes(*crm_).release("orders", state.fingerprint, 100, state.service, "", state.query);
  move_to("new");
  fill("n");
  sync();
  EXPECT_EQ(mailed(), 4u);
}

}  // namespace
