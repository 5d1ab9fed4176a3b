// What a request of the status page asks of the database.
#include "daemon/status/watch.hpp"
#include "tests/daemon/shop.hpp"
#include "tests/support/forwarding_database.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

// Each query takes so long, by the test's clock.
class Slow final : public support::ForwardingDatabase {
 public:
  Slow(std::unique_ptr<crm::Database> inner, daemon::Duration& uptime, int& queries, bool& locked)
      : ForwardingDatabase(std::move(inner)), uptime_(uptime), queries_(queries), locked_(locked) {}
  crm::Result query(const crm::Statement& statement) override {
    ++queries_;
    uptime_ += 1s;
    if (locked_ && statement.sql.find("delivered_at") != std::string::npos)
      throw crm::DatabaseError(crm::DatabaseError::Kind::busy, "locked");
    return inner().query(statement);
  }

 private:
  daemon::Duration& uptime_;
  int& queries_;
  bool& locked_;
};

class StatusWatchOn : public in_process::Shop {
 protected:
  StatusWatchOn() {
    order("1");
    sync();
  }

  daemon::Duration uptime_{1h};
  int queries_ = 0, sessions_ = 0;
  bool locked_ = false;  // the query's table
  // It takes what it needs of the environment when it is made.
  daemon::StatusWatch watch_{settings_, environment(), [] { return daemon::DaemonState{}; }};

 private:
  daemon::Environment environment() {
    daemon::Environment environment;
    environment.open_database = [this] {
      ++sessions_;
      return std::make_unique<Slow>(crm::open_database(connection_), uptime_, queries_, locked_);
    };
    environment.uptime = [this] { return uptime_; };
    return environment;
  }
};

TEST_F(StatusWatchOn, HealthCountsNothing) {
  EXPECT_EQ(watch_.answer("/health").status, 200);
  EXPECT_EQ(queries_, 0);
}

TEST_F(StatusWatchOn, ListsAndReportsShareOneSession) {
  for (const char* target : {"/", "/quarantine", "/doubts", "/suppressed?page=25", "/"})
    EXPECT_EQ(watch_.answer(target).status, 200) << target;
  EXPECT_EQ(sessions_, 1);
  for (const char* target : {"/metrics", "/ready", "/metrics", "/ready"})
    EXPECT_EQ(watch_.answer(target).status, 200) << target;
  EXPECT_EQ(sessions_, 3) << "the metrics and /ready have their own";
}

TEST_F(StatusWatchOn, AListAsksForNoMoreThanItsPagesHold) {
  watch_.answer("/quarantine");
  const int first = queries_;
  watch_.answer("/quarantine?page=7");
  EXPECT_LE(queries_ - first, first) << "one statement a state, and whether the tables are there";
  EXPECT_EQ(watch_.answer("/quarantine?page=26").status, 400);
  EXPECT_EQ(watch_.answer("/quarantine?page=0").status, 400);
}

// A lock made one report slow: the next one is made as soon as it is asked for.
TEST_F(StatusWatchOn, OneReportThatTookLongIsRenewedLikeAnyOther) {
  EXPECT_EQ(watch_.answer("/metrics").status, 200);
  const int before = queries_;
  uptime_ += 11s;
  EXPECT_EQ(watch_.answer("/metrics").status, 200);
  EXPECT_GT(queries_, before + 5);
}

TEST_F(StatusWatchOn, ReportsThatMetALockAreRenewedLikeAnyOther) {
  locked_ = true;
  for (int i = 0; i < 3; ++i) {
    uptime_ += 11s;
    EXPECT_NE(watch_.answer("/metrics").body.find("surveybridge_database_up 1"), std::string::npos);
  }
  locked_ = false;
  uptime_ += 11s;
  EXPECT_NE(watch_.answer("/metrics").body.find("\nsurveybridge_waiting{"), std::string::npos);
}

TEST_F(StatusWatchOn, AReportThatTookLongTwiceIsKeptForAHundredTimesAsLong) {
  EXPECT_EQ(watch_.answer("/metrics").status, 200);
  uptime_ += 11s;
  queries_ = 0;
  EXPECT_EQ(watch_.answer("/ready").status, 200);
  const int look = queries_;  // whether the database answers
  EXPECT_LE(look, 2);
  uptime_ += 1s;
  EXPECT_EQ(watch_.answer("/metrics").status, 200);
  const int report = queries_ - 2 * look;
  ASSERT_GT(report, 5);
  uptime_ += 99s * report;
  EXPECT_EQ(watch_.answer("/metrics").status, 200);
  EXPECT_EQ(queries_, report + 3 * look);
  uptime_ += 2s * report;
  EXPECT_EQ(watch_.answer("/").status, 200);
  EXPECT_GT(queries_, report + 4 * look);
}

}  // namespace
