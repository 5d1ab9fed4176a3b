// Calls to the database that are under way, by a clock of the test.
#include "daemon/runtime/statement_watch.hpp"

#include <gmock/gmock.h>

#include "daemon/runtime/session_pool.hpp"
#include "tests/daemon/metrics/kept_recorder.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using namespace std::chrono_literals;

// Does something of the test's while it is asked.
class AskedDatabase final : public crm::Database {
 public:
  explicit AskedDatabase(std::function<void()> meanwhile) : meanwhile_(std::move(meanwhile)) {}
  crm::Dialect dialect() const override { return crm::Dialect::sqlite; }
  crm::Result query(const crm::Statement&) override {
    meanwhile_();
    return {};
  }
  std::int64_t execute(const crm::Statement&) override {
    meanwhile_();
    return 0;
  }
  std::int64_t execute_each(const std::string&,
                            const std::vector<std::vector<crm::Value>>&) override {
    meanwhile_();
    return 0;
  }
  void begin() override { meanwhile_(); }
  void commit() override { meanwhile_(); }
  void rollback() noexcept override {}
  crm::Instant now() override { return {}; }

 private:
  std::function<void()> meanwhile_;
};

class SilentLog final : public Log {
 public:
  void write(Level, std::string_view, const LogFields&) override {}
};

class Statements : public testing::Test {
 protected:
  using Open = std::function<std::unique_ptr<crm::Database>()>;
  // `open`, and every call to its sessions, watched.
  Open watched(Open open, std::string database = "store") {
    return watched_by(watch_, std::move(open), std::move(database));
  }
  Open watched_by(StatementWatch& watch, Open open, std::string database = "store") {
    return [this, &watch, open = std::move(open), database = std::move(database)] {
      return std::make_shared<SessionPool>(
                 database, PoolLimits{}, [open](CrmUse) { return open(); }, log_, watch)
          ->database(CrmUse::write);
    };
  }
  // What is seen of a call after this time.
  void look(Duration after) {
    now_ += after;
    seen_.clear();
    for (const auto& [job, what, age, others] : watch_.older_than(40s))
      seen_.push_back(job + ": " + what + ": " + std::to_string(age / 1s) +
                      (others ? ", others answered" : ""));
  }
  std::unique_ptr<crm::Database> open(Duration call) {
    return watched([this, call]() -> std::unique_ptr<crm::Database> {
      return std::make_unique<AskedDatabase>([this, call] { look(call); });
    })();
  }

  Duration now_{1h};
  SilentLog log_;
  StatementWatch watch_{[this] { return now_; }};
  std::vector<std::string> seen_;
};

TEST_F(Statements, AreSeenWithTheirJobAndAgeWhenTheyDoNotEnd) {
  name_this_thread("push.orders");
  const auto database = open(41s);
  database->execute({"UPDATE  \"survey_push\"\nSET reason = 'person@example.test'", {}});
  EXPECT_THAT(seen_, testing::ElementsAre("push.orders: UPDATE survey_push: 41"));
  database->query({"SELECT \"key\", \"state\" FROM \"survey_push\" WHERE 1 = 1", {}});
  EXPECT_THAT(seen_, testing::ElementsAre("push.orders: SELECT survey_push: 41"));
  // A write-back into a column that is called as a table of the bridge.
  database->execute(
      {"WITH r AS (SELECT 1 FROM unnest($1)), matched AS (SELECT 1 FROM \"orders\" t"
       " FOR UPDATE), changed AS (UPDATE \"shop\".\"orders\" AS t SET"
       " \"survey_status\" = r.v1 FROM r) SELECT 1",
       {}});
  EXPECT_THAT(seen_, testing::ElementsAre("push.orders: UPDATE shop.orders: 41"));
  database->execute({"DELETE FROM `survey_answer` WHERE 1 = 1", {}});
  EXPECT_THAT(seen_, testing::ElementsAre("push.orders: DELETE survey_answer: 41"));
  database->query({"SELECT id  FROM orders WHERE email = 'person@example.test'", {}});
  EXPECT_THAT(seen_, testing::ElementsAre("push.orders: SELECT orders: 41"));
  database->query(
      {"SELECT COUNT(*) FROM (SELECT trim('x' from 'a@b.test') from shop.\"orders\"", {}});
  EXPECT_THAT(seen_, testing::ElementsAre("push.orders: SELECT shop.\"orders\": 41"));
  database->query({"VALUES ('person@example.test')", {}});
  EXPECT_THAT(seen_, testing::ElementsAre("push.orders: VALUES: 41"));
  database->query({"SELECT", {}});
  EXPECT_THAT(seen_, testing::ElementsAre("push.orders: SELECT: 41"));
  database->begin();
  EXPECT_THAT(seen_, testing::ElementsAre("push.orders: BEGIN: 41"));
  database->commit();
  EXPECT_THAT(seen_, testing::ElementsAre("push.orders: COMMIT: 41"));
}

TEST_F(Statements, AreNotSeenWhileTheyAreYoung) {
  const auto database = open(40s);
  database->execute({"SELECT 1", {}});
  EXPECT_THAT(seen_, testing::IsEmpty());
}

TEST_F(Statements, AreOverWhenTheyFail) {
  const auto failing = watched([]() -> std::unique_ptr<crm::Database> {
    throw crm::DatabaseError(crm::DatabaseError::Kind::connection, "away");
  });
  EXPECT_THROW(failing(), crm::DatabaseError);
  look(1h);
  EXPECT_THAT(seen_, testing::IsEmpty());
}

// A lock, then, and no database that is away.
TEST_F(Statements, AreToldFromADatabaseThatIsAwayWhenItAnswersOthers) {
  name_this_thread("push.orders");
  const auto other = watched([] { return std::make_unique<AskedDatabase>([] {}); }, "CRM")();
  const auto beside = open(0s);
  const auto locked = [&](Duration before, Duration after, const auto& answer) {
    watched([&] {
      return std::make_unique<AskedDatabase>([&] {
        look(before);
        answer();
        look(after);
      });
    })()
        ->query({"SELECT 1 FROM \"survey_push\"", {}});
    return seen_;
  };
  const auto hangs = [](const std::string& more) {
    return testing::ElementsAre("push.orders: SELECT survey_push: " + more);
  };
  const auto asked = [&] { beside->query({"SELECT 1", {}}); };
  EXPECT_THAT(locked(5s, 40s, asked), hangs("45, others answered"));
  EXPECT_THAT(locked(3s, 42s, asked), hangs("45")) << "it may be away since then";
  EXPECT_THAT(locked(5s, 60s, asked), hangs("65")) << "long ago";
  EXPECT_THAT(locked(5s, 40s, [&] { other->query({"SELECT 1", {}}); }), hangs("45")) << "elsewhere";
  EXPECT_THAT(locked(5s, 40s, [&] { beside->rollback(); }), hangs("45")) << "reports no failure";
}

// A lock that outlasts the time-out of each try.
TEST_F(Statements, AreSeenBetweenTwoTriesThatTimeOut) {
  bool locked = true;
  name_this_thread("push.orders");
  Duration lasts = 50s;
  const auto database = watched([&] {
    return std::make_unique<AskedDatabase>([&] {
      look(lasts);
      if (locked) throw crm::DatabaseError(crm::DatabaseError::Kind::busy, "locked");
    });
  })();
  const auto insert = [&] { database->execute({"INSERT INTO \"survey_batch\"", {}}); };
  const auto hangs = [](int seconds) {
    return testing::Contains("push.orders: INSERT survey_batch: " + std::to_string(seconds));
  };
  EXPECT_THROW(insert(), crm::DatabaseError);
  look(10s);
  EXPECT_THAT(seen_, hangs(60));
  lasts = 70s;
  EXPECT_THROW(insert(), crm::DatabaseError);
  EXPECT_THAT(seen_, hangs(130)) << "the next try, longer than it counts";
  look(59s);
  EXPECT_THAT(seen_, hangs(189));
  look(1s);
  EXPECT_THAT(seen_, testing::IsEmpty()) << "the work may have been given up";
  EXPECT_THROW(insert(), crm::DatabaseError);
  look(7h);
  EXPECT_THROW(insert(), crm::DatabaseError);
  look(1s);
  EXPECT_THAT(seen_, hangs(71)) << "nothing was asked for hours";
  locked = false;
  lasts = 1s;
  insert();
  look(1s);
  EXPECT_THAT(seen_, testing::IsEmpty());
  locked = true;
  EXPECT_THROW(insert(), crm::DatabaseError);
  look(1s);
  EXPECT_THAT(seen_, testing::IsEmpty()) << "refused at once, for its own reasons";
}

// MariaDB and SQLite wait for a lock for some seconds only.
TEST_F(Statements, AreSeenWhereManyShortTriesTimeOut) {
  name_this_thread("push.orders");
  const auto database = watched([&] {
    return std::make_unique<AskedDatabase>([&] {
      look(5s);
      throw crm::DatabaseError(crm::DatabaseError::Kind::busy, "locked");
    });
  })();
  for (int i = 0; i < 4; ++i) {
    EXPECT_THROW(database->execute({"INSERT INTO \"survey_batch\"", {}}), crm::DatabaseError);
    EXPECT_THAT(seen_, testing::IsEmpty()) << i;
    look(6s);
  }
  EXPECT_THROW(database->execute({"INSERT INTO \"survey_batch\"", {}}), crm::DatabaseError);
  look(6s);
  EXPECT_THAT(seen_, testing::ElementsAre("push.orders: INSERT survey_batch: 55"));
}

TEST_F(Statements, AreRecordedWithTheirTimeWhenTheyEnd) {
  metrics_test::KeptRecorder recorder;
  StatementWatch watch([this] { return now_; }, recorder);
  name_this_thread("push.orders");
  const auto database = watched_by(watch, [this] {
    now_ += 1s;
    return std::make_unique<AskedDatabase>([this] {
      now_ += 2s;
      if (now_ > 1h + 4s) throw crm::DatabaseError(crm::DatabaseError::Kind::busy, "");
    });
  })();
  database->query({"SELECT", {}});
  EXPECT_THROW(database->query({"SELECT", {}}), crm::DatabaseError);
  EXPECT_THAT(recorder.lines(),
              testing::ElementsAre("push.orders 1 s", "push.orders 2 s", "push.orders 2 s failed"));
}

TEST_F(Statements, CountTheAnswersOfEachJob) {
  bool away = false;
  name_this_thread("push.orders");
  const auto database = watched([&] {
    return std::make_unique<AskedDatabase>([&] {
      if (away) throw crm::DatabaseError(crm::DatabaseError::Kind::connection, "away");
    });
  })();
  database->query({"SELECT", {}});
  EXPECT_EQ(watch_.answered("push.orders"), 2u) << "it has connected, too";
  away = true;
  EXPECT_THROW(database->query({"SELECT", {}}), crm::DatabaseError);
  database->rollback();
  EXPECT_EQ(watch_.answered("push.orders"), 2u);
  EXPECT_EQ(watch_.answered("pull.customers"), 0u);
}

// A database that is locked: the call of the next try has just begun, or is not made yet.
TEST_F(Statements, AreUnansweredUntilTheySucceedAfterAFailure) {
  bool locked = true;
  name_this_thread("push.orders");
  const auto connect = watched([&] {
    return std::make_unique<AskedDatabase>([&] {
      now_ += 5s;
      if (locked) throw crm::DatabaseError(crm::DatabaseError::Kind::busy, "locked");
    });
  });
  const auto unanswered = [this] {
    std::vector<std::string> all;
    for (const auto& [job, what, age, others] : watch_.unanswered(3s))
      all.push_back(job + ": " + what + ": " + std::to_string(age / 1s));
    return all;
  };
  auto database = connect();
  EXPECT_THROW(database->query({"SELECT", {}}), crm::DatabaseError);
  EXPECT_THAT(unanswered(), testing::IsEmpty()) << "a statement may fail for its own reasons";
  EXPECT_THROW(database->begin(), crm::DatabaseError);
  EXPECT_THAT(unanswered(), testing::ElementsAre("push.orders: BEGIN: 5"));
  now_ += 2s;
  EXPECT_THROW(database->begin(), crm::DatabaseError);
  EXPECT_THAT(unanswered(), testing::ElementsAre("push.orders: BEGIN: 12"));
  locked = false;
  database->begin();
  EXPECT_THAT(unanswered(), testing::IsEmpty());
  locked = true;
  EXPECT_THROW(database->begin(), crm::DatabaseError);
  now_ += 59s;
  EXPECT_THAT(unanswered(), testing::SizeIs(1));
  now_ += 1s;
  EXPECT_THAT(unanswered(), testing::IsEmpty()) << "the work may have been given up";
  EXPECT_THROW(database->begin(), crm::DatabaseError);
  database = connect();
  EXPECT_THAT(unanswered(), testing::IsEmpty()) << "a new session";
}

// A job that could not connect goes on with a session that another one has opened.
TEST_F(Statements, AreAnsweredWhereAnotherJobReachesTheSameDatabase) {
  const auto away = [this]() -> std::unique_ptr<crm::Database> {
    now_ += 5s;
    throw crm::DatabaseError(crm::DatabaseError::Kind::connection, "away");
  };
  const auto back = [] { return std::make_unique<AskedDatabase>([] {}); };
  const auto unanswered = [this] { return watch_.unanswered(3s).size(); };
  name_this_thread("push.orders");
  EXPECT_THROW(watched(away)(), crm::DatabaseError);
  EXPECT_THROW(watched(away, "CRM")(), crm::DatabaseError);
  EXPECT_EQ(unanswered(), 2u);
  name_this_thread("pull.customers");
  const auto store = watched(back)();
  EXPECT_EQ(unanswered(), 1u) << "the other database has not answered";
  name_this_thread("push.orders");
  EXPECT_THROW(watched(away)(), crm::DatabaseError);
  EXPECT_EQ(unanswered(), 2u);
  store->query({"SELECT", {}});
  EXPECT_EQ(unanswered(), 1u) << "a session that is shared";
  watched(back, "CRM")();
  EXPECT_EQ(unanswered(), 0u);
}

TEST_F(Statements, AConnectIsACallToo) {
  watched([this] {
    look(50s);
    return std::make_unique<AskedDatabase>([] {});
  })();
  EXPECT_THAT(seen_, testing::ElementsAre(testing::EndsWith(": connect: 50")));
}

}  // namespace
