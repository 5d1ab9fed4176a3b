// `surveybridge status` beside a running daemon, and without one: what each job waits for.
#include <future>
#include <regex>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/program/bridge_and_crm.hpp"
#include "tests/support/paths.hpp"

namespace program {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class StatusOf : public testing::Test {
 protected:
  StatusOf() { crm_.insert(orders(3)); }
  std::string file(const std::string& url, const std::string& brake) {
    return folder_.write("bridge.toml",
                         replaced(configuration(crm_.connection(), url), "brake = false", brake));
  }
  support::Finished status(const std::string& config, const Arguments& more = {}) {
    Arguments words = {"status"};
    words.insert(words.end(), more.begin(), more.end());
    return command(words, config);
  }

  Crm crm_{Server::sqlite};
  support::TemporaryFolder folder_;
};

TEST_F(StatusOf, ADaemonThatRunsWithItsOldConfigurationIsThereThoughTheFileIsWrong) {
  const SandboxProgram sandbox({"--speed", "0"});
  const std::string config = file(sandbox.url(), "brake = false");
  Daemon daemon(config);
  ASSERT_TRUE(daemon.says("push.orders: 3 sent"));
  // A daemon whose lease of claims is over, since it has claimed nothing for a while, looks up all
  // the same.
  crm_.execute("UPDATE survey_lease SET expires_at = '2026-01-01 00:00:00'");
  crm_.execute(
      "UPDATE survey_push SET state = 'in_doubt', changed_at = '2999-01-01 00:00:00' WHERE key = "
      "'1'");
  EXPECT_THAT(status(config).out, ContainsRegex("in_doubt +1  looked up at the service\n"));
  folder_.write("bridge.toml", "[crm]\nconection = 1\n");
  const auto told = status(config);
  EXPECT_EQ(told.status, 78);
  EXPECT_THAT(told.err, HasSubstr("crm.conection: unknown key"));
  EXPECT_THAT(told.out, HasSubstr("daemon  runs here\n"));
  EXPECT_THAT(told.out, HasSubstr("job     push.orders"));
  EXPECT_EQ(bridge({"now", "-c", config}).status, 0);
  const std::string goes_on =
      "The daemon that runs here goes on with the configuration that it has"
      " read before. Mend the file, see `surveybridge check -c " +
      config + "`";
  for (const Arguments& words :
       {Arguments{"explain", "1"}, {"release", "orders", "--confirm", "3"}, {"status"}}) {
    const auto refused = command(words, config);
    EXPECT_EQ(refused.status, 78) << words.front();
    EXPECT_THAT(refused.err, HasSubstr("crm.conection: unknown key")) << words.front();
    EXPECT_THAT(refused.err, HasSubstr(goes_on)) << words.front();
  }
  EXPECT_EQ(daemon.stop(), 0);
  EXPECT_THAT(command({"explain", "1"}, config).err, Not(HasSubstr("goes on"))) << "none runs";
}

TEST_F(StatusOf, SaysWhatEachJobWaitsForSinceWhenAndUntilWhen) {
  const SandboxProgram sandbox({"--speed", "0"});
  const std::string config = file(sandbox.url(), "");
  Daemon daemon(config);
  ASSERT_TRUE(daemon.says("the brake holds"));
  support::Finished told;
  ASSERT_TRUE(daemon.until([&] {
    told = status(config);
    return told.out.find(" since ") != std::string::npos;
  })) << told.out;
  EXPECT_EQ(told.status, 1) << "a person is needed";
  EXPECT_THAT(told.out, HasSubstr("daemon  runs here\n"));
  EXPECT_THAT(
      told.out,
      ContainsRegex("job     push.orders +waits since 20[0-9T:-]+Z [(][0-9]+ s[)]: .*brake"));
  EXPECT_THAT(told.out, ContainsRegex("job     push.orders +next step in [0-9]+ s, at 20"));
  const auto json = nlohmann::json::parse(status(config, {"--json"}).out);
  EXPECT_EQ(json.at("daemon").at("runs"), true);
  const auto push = std::ranges::find_if(
      json.at("jobs"), [](const auto& job) { return job.at("job") == "push.orders"; });
  ASSERT_NE(push, json.at("jobs").end());
  EXPECT_EQ(push->at("fault"), "person");
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(StatusOf, AServiceThatIsAwayNeedsNobody) {
  const std::string config = file("http://127.0.0.1:1", "brake = false");
  Daemon daemon(config);
  support::Finished told;
  ASSERT_TRUE(daemon.until([&] {
    told = status(config);
    return std::regex_search(told.out, std::regex("job +push.orders +waits since .*cannot reach"));
  })) << told.out;
  EXPECT_EQ(told.status, 0) << told.out << told.err;
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(StatusOf, SaysBeforeTheFirstRunHowManyRowsWait) {
  const std::string config = file("http://127.0.0.1:1", "");
  const auto told = status(config);
  EXPECT_EQ(told.status, 0) << told.err;
  EXPECT_THAT(told.out, HasSubstr("daemon  none runs here with " + config + "\n"));
  EXPECT_THAT(told.out, Not(HasSubstr("job     ")));
  EXPECT_THAT(told.out, HasSubstr("the bridge has not run on this database yet\n"));
  EXPECT_THAT(told.out, ContainsRegex("push    orders +waiting +3\n"));
  EXPECT_THAT(told.out, HasSubstr("the first run will wait for `surveybridge release orders"));
  const auto json = nlohmann::json::parse(status(config, {"--json"}).out);
  EXPECT_EQ(json.at("daemon").at("runs"), false);
  EXPECT_EQ(json.at("pushes").at(0).at("waiting"), 3);
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM sqlite_master WHERE name LIKE 'survey%'"), "0");
  crm_.execute("ALTER TABLE orders RENAME TO other");
  const auto wrong = status(config);
  EXPECT_EQ(wrong.status, 0) << "nothing has run";
  EXPECT_THAT(wrong.out, ContainsRegex("waiting +[?]  not counted: .*orders"));
}

// The daemon answers from memory: a database that is away does not silence it.
TEST_F(StatusOf, SaysWhatTheJobsWaitForWithoutADatabaseToo) {
  const std::string config = folder_.write(
      "away.toml",
      configuration("postgresql://host=127.0.0.1 port=1 dbname=x", "http://127.0.0.1:1"));
  Daemon daemon(config);
  support::Finished told;
  ASSERT_TRUE(daemon.until([&] {
    told = status(config);
    return testing::Matches(ContainsRegex("job     push.orders +waits since .*: database: "))(
        told.out);
  })) << told.out;
  EXPECT_EQ(told.status, 69);
  EXPECT_THAT(told.err, HasSubstr("database: "));
  EXPECT_EQ(daemon.stop(), 0);
}

class StatusOfALockedCrm : public BridgeAndPostgresql {
 protected:
  void lock(const std::string& table) {
    beside_->begin();
    beside_->execute({"LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE", {}});
  }

  std::unique_ptr<surveybridge::crm::Database> beside_ = crm_.open();
};

TEST_F(StatusOfALockedCrm, TellsAllThatTheLockDoesNotHide) {
  crm_.insert(orders(3));
  ASSERT_EQ(bridge({"sync", "push", "-c", config_}).status, 0);
  lock("orders");
  const auto told = bridge({"status", "-c", config_});
  EXPECT_EQ(told.status, 69);
  EXPECT_THAT(told.out, ContainsRegex("push    orders +waiting +[?]  not counted: ERROR: .*lock "
                                      "timeout .*: another session holds the lock\n"));
  EXPECT_THAT(told.out, ContainsRegex("ledger  orders +sent +3\n"));
  EXPECT_THAT(told.err, HasSubstr("\"A statement waits for a lock\""));
  const auto json = nlohmann::json::parse(bridge({"status", "--json", "-c", config_}).out);
  EXPECT_FALSE(json.at("pushes").at(0).contains("waiting"));
  EXPECT_THAT(json.at("pushes").at(0).at("not_counted").get<std::string>(), HasSubstr("lock"));
  beside_->rollback();
  EXPECT_THAT(bridge({"status", "-c", config_}).out, ContainsRegex("push    orders +waiting +0\n"));
}

TEST_F(StatusOfALockedCrm, NamesTheStatementOfAJobThatWaitsAndTheRunbookFindsWhoHoldsTheLock) {
  ASSERT_EQ(bridge({"sync", "push", "-c", config_}).status, 0);  // the tables
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("started with"));
  lock("orders");
  support::Finished told;
  ASSERT_TRUE(daemon.until([&] {
    told = bridge({"status", "-c", config_});
    return told.out.find("in this step the database has not answered \"") != std::string::npos;
  })) << told.out;
  EXPECT_THAT(told.out, ContainsRegex("job     push.orders +in a step for [0-9]+ s\n"));
  const std::string runbook = support::read_file(support::source_dir() + "/docs/RUNBOOK.md");
  const auto begin = runbook.find("SELECT holder.pid"), end = runbook.find(";", begin);
  ASSERT_NE(begin, std::string::npos);
  const auto holders = crm_.rows(runbook.substr(begin, end - begin));
  ASSERT_FALSE(holders.empty());
  beside_->rollback();
  EXPECT_EQ(holders.at(0).at(0),
            plain(beside_->query({"SELECT pg_backend_pid()", {}}).rows.at(0).at(0)));
  EXPECT_EQ(daemon.stop(), 0);
}

TEST(StatusOnMariaDb, TellsAllThatALockOnTheLedgerDoesNotHide) {
  const Crm crm(Server::mariadb);
  const SandboxProgram sandbox{{"--speed", "0"}};
  const support::TemporaryFolder folder;
  const auto config = folder.write("bridge.toml", configuration(crm.connection(), sandbox.url()));
  ASSERT_EQ(bridge({"sync", "pull", "-c", config}).status, 0);
  const auto beside = crm.open();
  beside->execute({"LOCK TABLES survey_push WRITE", {}});
  const auto told = bridge({"status", "--json", "-c", config});
  for (const char* command : {"check", "preview", "report"}) {
    const auto locked = bridge({command, "-c", config});
    EXPECT_EQ(locked.status, 69) << command << locked.out << locked.err;
    EXPECT_THAT(locked.err, HasSubstr("\"A statement waits for a lock\"")) << command;
  }
  beside->execute({"UNLOCK TABLES", {}});
  EXPECT_EQ(told.status, 69) << told.err;
  const auto json = nlohmann::json::parse(told.out);
  EXPECT_EQ(json.at("locked").at(0).at("part"), "counts of the ledger");
  EXPECT_THAT(json.at("locked").at(0).at("why").get<std::string>(),
              HasSubstr("another session holds the lock"));
  EXPECT_FALSE(json.at("walks").empty()) << "of another table";
  EXPECT_THAT(told.err, HasSubstr("\"A statement waits for a lock\""));
}

// The server reads its locks anew only for who has not asked in the last 100 ms.
constexpr std::chrono::milliseconds kReadAnew{200};

TEST(RunbookOnMariaDb, FindsWhoHoldsALockFirst) {
  Crm crm(Server::mariadb);
  crm.insert(orders(1));
  const auto holder = crm.open(), idle = crm.open(), waits = crm.open();
  const std::string update = "UPDATE orders SET first_name = 'x'";
  holder->begin();
  holder->execute({update, {}});
  auto done = std::async(std::launch::async, [&] { waits->execute({update, {}}); });
  const std::string runbook = support::read_file(support::source_dir() + "/docs/RUNBOOK.md");
  const auto begin = runbook.find("SELECT p.id"), end = runbook.find(";", begin);
  ASSERT_NE(begin, std::string::npos);
  std::vector<std::vector<std::string>> found;
  do {
    found = crm.rows(runbook.substr(begin, end - begin));
    ASSERT_FALSE(found.empty());
  } while (found.at(0).back() == "0" && done.wait_for(kReadAnew) == std::future_status::timeout);
  const auto id = plain(holder->query({"SELECT CONNECTION_ID()", {}}).rows.at(0).at(0));
  holder->rollback();
  EXPECT_EQ(found.at(0).at(0), id);
  EXPECT_EQ(found.at(0).back(), "1");
}

// Somebody who looks because the database does not answer sees the jobs at once.
TEST_F(StatusOfALockedCrm, BeginsWithTheJobs) {
  ASSERT_EQ(bridge({"sync", "pull", "-c", config_}).status, 0);
  crm_.insert(orders(3));
  lock("survey_push");
  const auto told = bridge({"status", "-c", config_});
  EXPECT_EQ(told.status, 69);
  EXPECT_THAT(told.out, HasSubstr("daemon  none runs here"));
  EXPECT_THAT(told.out, ContainsRegex("push    orders +waiting +[?]  not counted: "));
  EXPECT_THAT(told.out, ContainsRegex("locked  counts of the ledger: ERROR:  .*lock timeout"));
  EXPECT_THAT(told.out, HasSubstr("walk    customers.LastActivityDate")) << "of another table";
  EXPECT_THAT(told.err, HasSubstr("\"A statement waits for a lock\""));
}

// Though a statement may take an hour.
TEST_F(StatusOfALockedCrm, IsToldByOtherCommandsTooInsteadOfWaitingForIt) {
  ASSERT_EQ(bridge({"sync", "pull", "-c", config_}).status, 0);
  crm_.insert(orders(3));
  folder_.write("bridge.toml", replaced(usual_, "[crm]\n", "[crm]\nstatement_timeout = \"1h\"\n"));
  lock("survey_push");
  for (const Arguments& words : std::initializer_list<Arguments>{{"explain", "999"},
                                                                 {"preview"},
                                                                 {"check"},
                                                                 {"report"},
                                                                 {"release", "orders"},
                                                                 {"quarantine", "list"},
                                                                 {"doubt", "undo", "1"}}) {
    Arguments command = words;
    command.insert(command.end(), {"-c", config_});
    const auto told = bridge(command);
    EXPECT_EQ(told.status, 69) << words.at(0) << told.out << told.err;
    EXPECT_THAT(told.err, HasSubstr("\"A statement waits for a lock\"")) << words.at(0);
  }
  support::ChildProcess forget(bridge_program({"forget", "nobody@example.test", "-c", config_}));
  EXPECT_TRUE(forget.wait_for("still waits for the database", std::chrono::seconds(20)));
  beside_->rollback();
  EXPECT_EQ(forget.wait(std::chrono::seconds(20)), 1) << "nothing is known of this address";
  lock("orders");
  const auto checked = bridge({"check", "-c", config_});
  EXPECT_EQ(checked.status, 69) << checked.err;
  EXPECT_THAT(checked.err, HasSubstr("\"A statement waits for a lock\""));
}

TEST_F(StatusOfALockedCrm, LetsForgetBeStoppedAndSaysToTypeItAgain) {
  ASSERT_EQ(bridge({"sync", "pull", "-c", config_}).status, 0);
  lock("survey_push");
  support::ChildProcess forget(bridge_program({"forget", "nobody@example.test", "-c", config_}));
  ASSERT_TRUE(forget.wait_for("still waits for the database", std::chrono::seconds(20)));
  forget.signal(SIGINT);
  EXPECT_EQ(forget.wait(std::chrono::seconds(20)), 69);
  EXPECT_THAT(forget.err(), HasSubstr("stopped without it; type the command again\n"));
}

}  // namespace
}  // namespace program
