// The daemon and `sync` keep the counts of a large ledger and remove old events.
#include "daemon/push/ledger_job.hpp"

#include "connectors/crm/daemon_state/count_store.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

class LedgerJobs : public in_process::Shop {
 protected:
  LedgerJobs() { settings_.pulls.clear(); }
  std::int64_t events() { return number("SELECT COUNT(*) FROM survey_push_event"); }
  // A transaction that is sent, after its answer was lost and it was found.
  void send_by_a_doubt(const std::string& key) {
    order(key);
    sync();
    sql("INSERT INTO survey_push_event (push, key, at, state, batch) SELECT push, key, changed_at,"
        " 'in_doubt', batch FROM survey_push WHERE key = '" +
        key + "'");
    sql("INSERT INTO survey_push_event (push, key, at, state, batch) SELECT push, key, changed_at,"
        " 'sent', batch FROM survey_push WHERE key = '" +
        key + "'");
  }
};

TEST_F(LedgerJobs, RemoveOldEventsOfWhatWasSentOnceADay) {
  settings_.ledger.keep_events = 24h * 3;
  settings_.pushes.at(0).every = 1h;
  settings_.pushes.at(0).look_back = 24h * 365;
  send_by_a_doubt("1");
  ASSERT_EQ(state("1"), crm::State::sent);
  ASSERT_EQ(events(), 2);
  in_process::Instance daemon(settings_, outside_, ++seed_);
  daemon.run_until(clock_.now + 24h * 2);
  EXPECT_EQ(events(), 2);
  daemon.run_until(clock_.now + 24h * 2 + 1h);
  EXPECT_EQ(events(), 0);
  EXPECT_TRUE(daemon.log().has("removed 2 events of transactions, older than [ledger]"));
  EXPECT_EQ(state("1"), crm::State::sent) << "the transaction stays";
  daemon.run_until(clock_.now + 1h);
  EXPECT_EQ(service_.customers().size(), 1u) << "and is not sent again";
}

TEST_F(LedgerJobs, RemoveThemWithoutADaemon) {
  send_by_a_doubt("1");
  ASSERT_EQ(events(), 2);
  settings_.ledger.keep_events = 24h;
  clock_.now += 25h;
  sync();
  EXPECT_EQ(events(), 0);
}

// Each `sync` begins at the first one again.
TEST_F(LedgerJobs, RemoveEventsBehindThoseThatStayWithoutADaemon) {
  crm::make_schema(*crm_);
  sql("INSERT INTO survey_push (push, key, state, attempts, test, seen_at, changed_at) VALUES"
      " ('orders', 'held', 'held', 1, 0, '2026-01-01T00:00:00.000000Z',"
      " '2026-01-01T00:00:00.000000Z')");
  sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 7000)"
      " INSERT INTO survey_push_event (push, key, at, state) SELECT 'orders', 'held',"
      " '2026-01-01T00:00:00.000000Z', 'held' FROM n");
  send_by_a_doubt("1");
  ASSERT_EQ(events(), 7002);
  settings_.ledger.keep_events = 24h;
  clock_.now += 25h;
  sync();
  EXPECT_EQ(events(), 7000);
}

TEST_F(LedgerJobs, CountAgainWhereTheDatabasesClockWasAhead) {
  crm::make_schema(*crm_);
  sql("INSERT INTO survey_count (push, counted, rows, before)"
      " VALUES ('orders', 'sent', 7, '2030-01-01T00:00:00.000000Z')");
  in_process::Instance daemon(settings_, outside_, ++seed_);
  daemon.run_until(clock_.now + 1min);
  EXPECT_TRUE(crm::kept_counts(*crm_).empty()) << "the ledger has no row";
}

TEST_F(LedgerJobs, CountALargeLedgerEveryTenMinutes) {
  crm::make_schema(*crm_);
  sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"
      " INSERT INTO survey_push (push, key, state, attempts, test, seen_at, changed_at)"
      " SELECT 'orders', 'old' || i, 'sent', 1, 0, '2026-01-01T00:00:00.000000Z',"
      " '2026-01-01T00:00:00.000000Z' FROM n");
  in_process::Instance daemon(settings_, outside_, ++seed_);
  daemon.run_until(clock_.now + 1min);
  const auto kept = crm::kept_counts(*crm_);
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept.front().rows, 100'000);
  order("1");
  daemon.run_until(clock_.now + 5min);
  EXPECT_EQ(crm::kept_counts(*crm_), kept) << "not counted again so soon";
  EXPECT_EQ(crm::count_by_kept(*crm_).front().rows, 100'001);
  daemon.run_until(clock_.now + 30min);
  ASSERT_EQ(crm::kept_counts(*crm_).size(), 1u);
  EXPECT_EQ(crm::kept_counts(*crm_).front().rows, 100'001);
}

}  // namespace
