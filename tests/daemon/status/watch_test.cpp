// The answers of the status page while the database hangs or is away.
#include "daemon/status/watch.hpp"

#include <condition_variable>
#include <mutex>

#include <gmock/gmock.h>

#include "connectors/crm/schema/schema.hpp"
#include "tests/support/forwarding_database.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using testing::HasSubstr;

// A database that does not answer until it is let go, and is away then. Shared with the thread that
// may outlive the test's objects.
struct Hang {
  std::mutex mutex;
  std::condition_variable changed;
  bool asked = false, over = false;

  void wait() {
    std::unique_lock lock(mutex);
    asked = true;
    changed.notify_all();
    changed.wait(lock, [this] { return over; });
  }
  void wait_until_asked() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return asked; });
  }
  void end() {
    const std::lock_guard lock(mutex);
    over = true;
    changed.notify_all();
  }
};

class Watched : public testing::Test {
 protected:
  Watched() {
    environment_.uptime = [] { return Duration{0}; };
    environment_.open_database = [hang = hang_]() -> std::unique_ptr<crm::Database> {
      hang->wait();
      throw crm::DatabaseError(crm::DatabaseError::Kind::connection, "away");
    };
  }
  ~Watched() override { hang_->end(); }

  static JobState job(const std::string& trouble, bool degraded) {
    JobStatus status;
    status.trouble = trouble;
    status.degraded = degraded;
    return {"push.orders", status};
  }

  // A session whose questions fail so where this holds of them.
  std::unique_ptr<crm::Database> failing(std::function<bool(const std::string& sql)> fails,
                                         crm::DatabaseError error) {
    return std::make_unique<support::LookedAtDatabase>(
        opened_(), [fails = std::move(fails), error = std::move(error)](const std::string& sql) {
          if (sql.starts_with("SELECT") && fails(sql)) throw error;
        });
  }
  // What those who look meet at a lock.
  std::unique_ptr<crm::Database> locked(const std::string& table) {
    return failing([table](const auto& sql) { return sql.find(table) != std::string::npos; },
                   {crm::DatabaseError::Kind::busy, "the lock is held"});
  }

  support::TemporaryFolder folder_;
  PageSession::Open opened_ = [path = "sqlite3://" + folder_.path() + "/crm.db"] {
    return crm::open_database(path);
  };
  std::shared_ptr<Hang> hang_ = std::make_shared<Hang>();
  config::Settings settings_;
  Environment environment_;
  std::vector<JobState> jobs_{job("", false)};
  std::string stuck_;
  std::function<DaemonState()> daemon_ = [this] { return DaemonState{jobs_, stuck_}; };
};

TEST_F(Watched, HealthIsAnsweredThoughTheSessionOfThePageHangs) {
  StatusWatch watch(settings_, environment_, daemon_);
  EXPECT_EQ(watch.answer("/").status, 503);
  hang_->wait_until_asked();
  EXPECT_EQ(watch.answer("/health").status, 200);
  EXPECT_EQ(watch.answer("/health").body, "ok\n");
}

TEST_F(Watched, HealthNamesTheJobThatIsStuck) {
  StatusWatch watch(settings_, environment_, daemon_);
  stuck_ = "push.orders: has been in one step for 200 s";
  const auto health = watch.answer("/health");
  EXPECT_EQ(health.status, 503);
  EXPECT_THAT(health.body, HasSubstr("push.orders"));
  EXPECT_EQ(watch.answer("/ready").status, 503);
}

TEST_F(Watched, ReadyNamesAJobThatIsStuckOnce) {
  environment_.open_database = opened_;
  StatusWatch watch(settings_, environment_, daemon_);
  stuck_ = "push.orders: the database has not answered \"SELECT\" for 50 s";
  jobs_ = {job("the database has not answered \"SELECT\" for 50 s", false)};
  jobs_.front().stuck = true;
  EXPECT_EQ(watch.answer("/ready").status, 503);
  EXPECT_EQ(watch.answer("/ready").body, stuck_ + "\n");
}

TEST_F(Watched, TheMetricsOfMemoryDoNotVanishWithTheDatabase) {
  hang_->end();  // it is away
  StatusWatch watch(settings_, environment_, daemon_);
  const auto metrics = watch.answer("/metrics");
  EXPECT_EQ(metrics.status, 200);
  EXPECT_THAT(metrics.body, HasSubstr("surveybridge_database_up 0\n"));
  EXPECT_THAT(metrics.body, HasSubstr("surveybridge_job_trouble{bridge_job=\"push.orders\"} 0\n"));
  const auto page = watch.answer("/");
  EXPECT_EQ(page.status, 503);
  EXPECT_THAT(page.body, HasSubstr("The database does not answer"));
  EXPECT_THAT(page.body, HasSubstr("push.orders"));
}

TEST_F(Watched, AListWaitsForNobodyWhoHangs) {
  StatusWatch watch(settings_, environment_, daemon_);
  const auto list = watch.answer("/quarantine");
  EXPECT_EQ(list.status, 503);
  EXPECT_THAT(list.body, HasSubstr("The database does not answer."));
  EXPECT_EQ(watch.answer("/doubts").status, 503) << "the session is still busy";
  EXPECT_EQ(watch.answer("/health").status, 200);
}

TEST_F(Watched, ReadyMeansThatNoJobWaits) {
  environment_.open_database = opened_;
  StatusWatch watch(settings_, environment_, daemon_);
  EXPECT_EQ(watch.answer("/ready").status, 200);
  jobs_ = {job("the brake holds", false)};
  EXPECT_EQ(watch.answer("/ready").status, 503);
  EXPECT_EQ(watch.answer("/ready").body, "push.orders: the brake holds\n");
  EXPECT_EQ(watch.answer("/health").status, 200) << "it lives";
  jobs_ = {job("a filter is ignored", true)};
  EXPECT_EQ(watch.answer("/ready").status, 200) << "it works all the same";
}

TEST_F(Watched, ReadyMeansThatTheDatabaseAnswersThoughNoJobHasNoticed) {
  bool away = false;
  Duration now{0};
  environment_.uptime = [&] { return now; };
  environment_.open_database = [&] {
    return failing([&](const std::string&) { return away; },
                   {crm::DatabaseError::Kind::connection, "away"});
  };
  StatusWatch watch(settings_, environment_, daemon_);
  EXPECT_EQ(watch.answer("/ready").body, "ready\n");
  away = true;
  EXPECT_EQ(watch.answer("/ready").status, 200) << "requests do not ask it more than once a second";
  now += std::chrono::seconds{1};
  EXPECT_EQ(watch.answer("/ready").status, 503);
  EXPECT_EQ(watch.answer("/ready").body, "the database does not answer\n");
  EXPECT_THAT(watch.answer("/metrics").body, HasSubstr("surveybridge_database_up 0\n"));
  EXPECT_EQ(watch.answer("/health").status, 200);
  away = false;
  now += std::chrono::seconds{1};
  EXPECT_EQ(watch.answer("/ready").status, 200);
}

TEST_F(Watched, ARefusedLoginIsToldFromADatabaseThatDoesNotAnswer) {
  environment_.open_database = []() -> std::unique_ptr<crm::Database> {
    throw crm::DatabaseError(crm::DatabaseError::Kind::connection,
                             "Access denied for user 'x'@'h' (using password: YES)",
                             {"28000", 1045});
  };
  StatusWatch watch(settings_, environment_, daemon_);
  EXPECT_EQ(watch.answer("/ready").status, 503);
  EXPECT_EQ(watch.answer("/ready").body, "the database answers, and refuses the bridge's login\n");
  EXPECT_THAT(watch.answer("/").body,
              HasSubstr("The database answers, and refuses the bridge&#39;s login."));
  EXPECT_THAT(watch.answer("/metrics").body, HasSubstr("surveybridge_database_up 0\n"));
}

TEST_F(Watched, ReadyMeansThatTheDatabaseCanBeWrittenThoughNoRowWaits) {
  Duration now{0};
  environment_.uptime = [&] { return now; };
  environment_.open_database = opened_;
  const auto database = opened_();
  crm::make_schema(*database);
  StatusWatch watch(settings_, environment_, daemon_);
  EXPECT_EQ(watch.answer("/ready").body, "ready\n");
  now += std::chrono::seconds{1};
  {
    const crm::Transaction lock(*database);
    EXPECT_EQ(watch.answer("/ready").status, 503);
    EXPECT_EQ(watch.answer("/ready").body, "the database answers, and cannot be written\n");
    EXPECT_EQ(watch.answer("/").status, 200) << "it can be read";
    EXPECT_EQ(watch.answer("/health").status, 200);
  }
}

TEST_F(Watched, ALockIsNoDatabaseThatDoesNotAnswer) {
  crm::make_schema(*opened_());
  environment_.open_database = [this] { return locked("\"survey_lease\""); };
  StatusWatch watch(settings_, environment_, daemon_);
  const auto page = watch.answer("/");
  EXPECT_EQ(page.status, 503);
  EXPECT_THAT(page.body, HasSubstr("The database answers, and another session has locked"));
  EXPECT_THAT(watch.answer("/quarantine").body, HasSubstr("another session has locked a table"));
  EXPECT_EQ(watch.answer("/ready").body,
            "the database answers, and another session has locked a table of the bridge\n");
  EXPECT_THAT(watch.answer("/metrics").body, HasSubstr("surveybridge_database_up 1\n"));
}

TEST_F(Watched, ALockOnATableOfTheQueryHidesItsNumberOnly) {
  config::Push push;
  push.name = "orders";
  push.query = "SELECT id, delivered_at FROM orders";
  push.key = "id";
  push.when = "delivered_at";
  push.look_back = std::chrono::hours{24};
  settings_.pushes = {push};
  environment_.open_database = opened_;
  const auto database = opened_();
  crm::make_schema(*database);
  database->execute({"CREATE TABLE orders (id integer, delivered_at timestamp)", {}});
  EXPECT_THAT(StatusWatch(settings_, environment_, daemon_).answer("/metrics").body,
              HasSubstr("surveybridge_waiting{push=\"orders\"} 0\n"));
  environment_.open_database = [this] { return locked("FROM orders"); };
  StatusWatch watch(settings_, environment_, daemon_);
  const auto page = watch.answer("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr("<b>Waits.</b> orders: not counted: the lock is held</p>"));
  const auto metrics = watch.answer("/metrics");
  EXPECT_THAT(metrics.body, HasSubstr("surveybridge_database_up 1\n"));
  EXPECT_THAT(metrics.body, HasSubstr("surveybridge_brake{push=\"orders\"} 0\n"));
  EXPECT_THAT(metrics.body, testing::Not(HasSubstr("surveybridge_waiting")));
  database->execute({"ALTER TABLE orders RENAME TO other", {}});
  environment_.open_database = opened_;
  EXPECT_THAT(StatusWatch(settings_, environment_, daemon_).answer("/").body,
              HasSubstr("<b>Waits.</b> orders: not counted: "))
      << "so does a query that fails";
}

TEST_F(Watched, ReadyMeansThatTheAccountMayWrite) {
  environment_.open_database = opened_;
  crm::make_schema(*opened_());
  environment_.open_database = [this] {
    auto database = opened_();
    database->execute({"PRAGMA query_only = ON", {}});
    return database;
  };
  StatusWatch watch(settings_, environment_, daemon_);
  EXPECT_EQ(watch.answer("/ready").body, "the database answers, and cannot be written\n");
  EXPECT_THAT(watch.answer("/metrics").body, HasSubstr("surveybridge_database_up 1\n"));
}

}  // namespace
