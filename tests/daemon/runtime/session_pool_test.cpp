// The sessions that all jobs share: never more than may be, replaced when they are lost, and waited
// for not longer than said.
#include "daemon/runtime/session_pool.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <set>
#include <thread>

#include <gmock/gmock.h>

#include "connectors/crm/dialect/traits.hpp"
#include "tests/daemon/metrics/kept_recorder.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using namespace std::chrono_literals;
using crm::DatabaseError;
using crm::Statement;
using testing::ElementsAre;
using testing::HasSubstr;

class Lines final : public Log {
 public:
  void write(Level, std::string_view text, const LogFields&) override { lines.emplace_back(text); }
  std::vector<std::string> lines;
};

// What the sessions of a test have in common: a server with room for so many.
struct Server {
  int room = 1000;
  std::atomic<int> open = 0, most = 0;
  int made = 0;
  crm::Dialect dialect = crm::Dialect::postgresql;
  std::set<int> lost;                      // numbers of sessions
  std::map<int, DatabaseError> refuses{};  // each statement, by number of a session
  std::vector<std::string> said;           // "NUMBER: SQL"
  std::vector<CrmUse> kinds{};             // of the sessions, as they were opened
};

class FakeSession final : public crm::Database {
 public:
  explicit FakeSession(Server& server) : server_(server), number_(++server.made) {
    server_.most = std::max<int>(server_.most, ++server_.open);
  }
  ~FakeSession() override { --server_.open; }
  crm::Dialect dialect() const override { return server_.dialect; }
  crm::Result query(const Statement& statement) override {
    return say(statement.sql), crm::Result{};
  }
  std::int64_t execute(const Statement& statement) override { return say(statement.sql), 0; }
  std::int64_t execute_each(const std::string& sql,
                            const std::vector<std::vector<crm::Value>>&) override {
    return say(sql), 0;
  }
  void begin() override { say("BEGIN"); }
  void commit() override { say("COMMIT"); }
  void rollback() noexcept override {
    server_.said.push_back(std::to_string(number_) + ": ROLLBACK");
  }
  crm::Instant now() override { return say("clock"), crm::Instant{}; }

 private:
  void say(const std::string& sql) {
    if (server_.lost.contains(number_))
      throw DatabaseError(DatabaseError::Kind::connection, "lost");
    if (const auto at = server_.refuses.find(number_); at != server_.refuses.end())
      throw DatabaseError(at->second);
    server_.said.push_back(std::to_string(number_) + ": " + sql);
  }
  Server& server_;
  int number_;
};

class SharedSessions : public testing::Test {
 protected:
  std::shared_ptr<SessionPool> pool(const PoolLimits& limits) {
    return std::make_shared<SessionPool>(
        "store", limits,
        [this](CrmUse kind) -> SessionPool::Session {
          if (server_.open >= server_.room)
            throw DatabaseError(DatabaseError::Kind::connection, "too many clients already");
          server_.kinds.push_back(kind);
          return std::make_unique<FakeSession>(server_);
        },
        log_, watch_);
  }
  // The text of the error with which a session is refused; empty: there is one.
  static std::string refusal(crm::Database& database) {
    try {
      database.query({"SELECT", {}});
      return "";
    } catch (const DatabaseError& error) {
      return error.what();
    }
  }

  Server server_;
  Lines log_;
  metrics_test::KeptRecorder recorder_;
  StatementWatch watch_{[] { return Duration{}; }, recorder_};
};

TEST_F(SharedSessions, ServeManyDatabasesOneAfterTheOther) {
  const auto shared = pool({.most = 2});
  std::vector<SessionPool::Session> jobs;
  for (int i = 0; i < 8; ++i) {
    jobs.push_back(shared->database(CrmUse::write));
    jobs.back()->execute({"UPDATE", {}});
    const crm::Transaction never_committed(*jobs.back());
  }
  EXPECT_EQ(server_.made, 1) << "nobody has kept a session";
}

TEST_F(SharedSessions, StayWithATransactionToItsEnd) {
  const auto shared = pool({.most = 3});
  const auto first = shared->database(CrmUse::write);
  const auto second = shared->database(CrmUse::write);
  first->begin();
  second->query({"SELECT 2", {}});
  first->query({"SELECT 1", {}});
  first->commit();
  EXPECT_THAT(server_.said, ElementsAre("1: BEGIN", "2: SELECT 2", "1: SELECT 1", "1: COMMIT"));
}

TEST_F(SharedSessions, StayWithWhoeverToldThemSomethingUntilItIsTakenBack) {
  const auto& words = crm::traits(server_.dialect);
  const std::string begin(words.snapshots_begin), end(words.snapshots_end);
  const auto shared = pool({.most = 2});
  const auto first = shared->database(CrmUse::read);
  const auto second = shared->database(CrmUse::read);
  first->execute({begin, {}});
  second->query({"SELECT 2", {}});
  first->begin();
  first->rollback();
  second->query({"SELECT 2", {}});
  first->execute({end, {}});
  second->query({"SELECT 2", {}});
  EXPECT_THAT(server_.said, ElementsAre("1: " + begin, "2: SELECT 2", "1: BEGIN", "1: ROLLBACK",
                                        "2: SELECT 2", "1: " + end, "1: SELECT 2"));
}

TEST_F(SharedSessions, AreWaitedForNotLongerThanSaidAndTheSettingIsNamedOnce) {
  const auto shared = pool({.most = 1, .longest_wait = 30ms, .noted_wait = 5ms});
  const auto first = shared->database(CrmUse::write);
  const auto second = shared->database(CrmUse::write);
  first->begin();
  EXPECT_THAT(refusal(*second), HasSubstr("no session of the store was free for"));
  EXPECT_THAT(refusal(*second), HasSubstr("(crm.connections = 1)"));
  EXPECT_THAT(log_.lines, ElementsAre("jobs wait for a session of the store: crm.connections = 1"));
  const auto is_wait = [](const std::string& line) { return line.starts_with("connection "); };
  EXPECT_EQ(std::ranges::count_if(recorder_.lines(), is_wait), 2);
  first->rollback();
  EXPECT_EQ(refusal(*second), "");
}

// More sessions do not help against a lock.
TEST_F(SharedSessions, AreNamedWithTheJobThatHoldsThemForAsLong) {
  const auto shared = pool({.most = 2, .longest_wait = 30ms});
  const auto first = shared->database(CrmUse::write);
  const auto second = shared->database(CrmUse::write);
  const auto third = shared->database(CrmUse::write);
  name_this_thread("push.orders");
  first->begin();
  name_this_thread("pull.customers");
  second->begin();
  name_this_thread("");
  EXPECT_EQ(refusal(*third),
            "no session of the store was free for 0 s: push.orders and 1 other held theirs for as "
            "long, as when a statement waits for a lock (crm.connections = 2)");
  second->rollback();
  EXPECT_EQ(refusal(*third), "");
}

TEST_F(SharedSessions, GoToWhoWaitsWhenTheyAreGivenBack) {
  const auto shared = pool({.most = 1});
  const auto first = shared->database(CrmUse::write);
  const auto second = shared->database(CrmUse::write);
  first->begin();
  auto waiting = std::async(std::launch::async, [&] { return refusal(*second); });
  first->rollback();
  EXPECT_EQ(waiting.get(), "");
  EXPECT_EQ(server_.most, 1);
}

TEST_F(SharedSessions, AreFewerThanAllowedWhereTheServerHasNoRoom) {
  server_.room = 1;
  const auto shared = pool({.most = 4});
  const auto first = shared->database(CrmUse::write);
  const auto second = shared->database(CrmUse::write);
  first->begin();
  auto waiting = std::async(std::launch::async, [&] { return refusal(*second); });
  first->commit();
  EXPECT_EQ(waiting.get(), "") << "the one that there is does";
}

TEST_F(SharedSessions, SayWhatTheServerSaidWhenItHadNoRoom) {
  server_.room = 1;
  const auto shared = pool({.most = 4, .longest_wait = 20ms});
  const auto first = shared->database(CrmUse::write);
  const auto second = shared->database(CrmUse::write);
  first->begin();
  EXPECT_EQ(refusal(*second), "too many clients already");
  server_.room = 0;
  EXPECT_THROW(pool({.most = 4})->database(CrmUse::write), DatabaseError) << "at once";
}

TEST_F(SharedSessions, AreReplacedWhenTheyAreLost) {
  const auto shared = pool({.most = 2});
  const auto first = shared->database(CrmUse::write);
  const auto second = shared->database(CrmUse::write);
  first->begin();
  second->query({"SELECT", {}});
  first->rollback();
  server_.lost = {1, 2};  // the server has ended both
  EXPECT_EQ(refusal(*first), "lost");
  EXPECT_EQ(refusal(*first), "") << "the other idle one was asked first, and is replaced, too";
  EXPECT_EQ(server_.open, 1);
  EXPECT_EQ(server_.made, 3);
}

// They were opened while the server had another search path.
TEST_F(SharedSessions, AreReplacedWhereTheyAreRefusedWhatOthersMayBeGiven) {
  const auto shared = pool({.most = 2});
  const auto database = shared->database(CrmUse::write);
  server_.refuses.emplace(1,
                          DatabaseError(DatabaseError::Kind::other, "no such table", {"42P01", 0}));
  EXPECT_EQ(refusal(*database), "no such table");
  EXPECT_EQ(refusal(*database), "");
  server_.refuses.emplace(2, DatabaseError(DatabaseError::Kind::other, "1/0", {"22012", 0}));
  EXPECT_EQ(refusal(*database), "1/0");
  server_.refuses.clear();
  EXPECT_EQ(refusal(*database), "");
  EXPECT_EQ(server_.made, 2) << "a value is at fault, and not the session";
}

TEST_F(SharedSessions, AreReplacedWhenTheyAreLostInATransaction) {
  const auto shared = pool({.most = 1});
  const auto first = shared->database(CrmUse::write);
  first->begin();
  server_.lost = {1};
  EXPECT_EQ(refusal(*first), "lost");
  first->rollback();
  EXPECT_EQ(refusal(*first), "");
}

TEST_F(SharedSessions, ThatReadAndThoseThatWriteMakeRoomForEachOther) {
  const auto shared = pool({.most = 1});
  const auto reads = shared->database(CrmUse::read);
  const auto writes = shared->database(CrmUse::write);
  reads->query({"SELECT", {}});
  writes->query({"SELECT", {}});
  EXPECT_EQ(server_.most, 1);
  EXPECT_THAT(server_.kinds, ElementsAre(CrmUse::read, CrmUse::write, CrmUse::read, CrmUse::write));
}

TEST_F(SharedSessions, OfSqliteAreNotShared) {
  server_.dialect = crm::Dialect::sqlite;
  const auto shared = pool({.most = 1});
  const auto first = shared->database(CrmUse::write);
  const auto second = shared->database(CrmUse::write);
  first->begin();
  EXPECT_EQ(refusal(*second), "");
}

TEST_F(SharedSessions, AreNeverMoreThanAllowedWithManyThreads) {
  const auto shared = pool({.most = 3});
  std::atomic<int> inside = 0, most_inside = 0, done = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 12; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 200; ++n) {
        auto session = shared->take(CrmUse::write);
        most_inside = std::max<int>(most_inside, ++inside);
        std::this_thread::yield();
        --inside;
        shared->give_back(CrmUse::write, std::move(session));
        ++done;
      }
    });
  }
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(done, 2400);
  EXPECT_LE(most_inside, 3);
  EXPECT_LE(server_.most, 3);
}

}  // namespace
