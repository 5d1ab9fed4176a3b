// `surveybridge status` beside a running daemon, and without one: what each job waits for, and what
// a lock of another session hides; the status page over a real socket, and who may ask it; and
// `surveybridge alert`, to a mail server and a webhook on this machine.
#include <algorithm>
#include <filesystem>
#include <future>
#include <regex>

#include "tests/program/world.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/raw_server.hpp"
#include "tests/support/smtp_server.hpp"

namespace program {
namespace {

using nlohmann::json;
using support::RawServer;
using testing::Contains;
using testing::ContainsRegex;
using testing::StartsWith;

struct StatusOf : BridgeAndSqlite {
  StatusOf() { crm_.insert(orders(3)); }
  // Until `status` says so: the last one.
  support::Finished status_with(const std::string& pattern, Daemon& daemon) {
    support::Finished last;
    EXPECT_TRUE(daemon.until([&] {
      last = command({"status"});
      return std::regex_search(last.out, std::regex(pattern));
    })) << last.out;
    return last;
  }
};

TEST_F(StatusOf, ADaemonThatRunsWithItsOldConfigurationIsThereThoughTheFileIsWrong) {
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("push.orders: 3 sent"));
  // A daemon whose lease of claims is over, since it has claimed nothing for a while, looks up all
  // the same. The service never lists this key: else the row might be settled before it is seen.
  crm_.execute("UPDATE survey_lease SET expires_at = '2026-01-01 00:00:00'");
  crm_.execute(
      "UPDATE survey_push SET state = 'in_doubt', changed_at = '2999-01-01 00:00:00', key = 'gone'"
      " WHERE key = '1'");
  EXPECT_THAT(command({"status"}).out, ContainsRegex("in_doubt +1  looked up at the service\n"));
  write("[crm]\nconection = 1\n");
  const std::string wrong = "crm.conection: unknown key";
  const std::string goes_on =
      "The daemon that runs here goes on with the configuration that it has"
      " read before. Mend the file, see `surveybridge check -c " +
      config_ + "`";
  expect({"status"}, 78, has("daemon  runs here\n", "job     push.orders"), has(wrong, goes_on));
  expect({"now"}, 0);
  expect({"explain", "1"}, 78, testing::_, has(wrong, goes_on));
  expect({"release", "orders", "--confirm", "3"}, 78, testing::_, has(wrong, goes_on));
  EXPECT_EQ(daemon.stop(), 0);
  expect({"explain", "1"}, 78, testing::_, lacks("goes on"));  // none runs
}

TEST_F(StatusOf, SaysWhatEachJobWaitsForSinceWhenAndUntilWhen) {
  // A service that is away needs nobody.
  write(replaced(usual_, sandbox_.url(), "http://127.0.0.1:1"));
  {
    Daemon daemon(config_);
    EXPECT_EQ(status_with("job +push.orders +waits since .*cannot reach", daemon).status, 0);
    EXPECT_EQ(daemon.stop(), 0);
  }
  // The daemon answers from memory: a database that is away does not silence it.
  write(replaced(usual_, crm_.connection(), "postgresql://host=127.0.0.1 port=1 dbname=x"));
  {
    Daemon daemon(config_);
    const auto said = status_with("job     push.orders +waits since .*: database: ", daemon);
    EXPECT_EQ(said.status, 69);
    EXPECT_THAT(said.err, has("database: "));
    EXPECT_EQ(daemon.stop(), 0);
  }
  write(replaced(usual_, "brake = false", ""));
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("the brake holds"));
  const auto said = status_with("push.orders +waits since .*brake", daemon);
  EXPECT_EQ(said.status, 1) << "a person is needed";
  EXPECT_THAT(said.out, has("daemon  runs here\n"));
  EXPECT_THAT(
      said.out,
      ContainsRegex("job     push.orders +waits since 20[0-9T:-]+Z [(][0-9]+ s[)]: .*brake"));
  EXPECT_THAT(said.out, ContainsRegex("job     push.orders +next step in [0-9]+ s, at 20"));
  const auto facts = told({"status"}, 1);
  EXPECT_EQ(facts.at("daemon").at("runs"), true);
  const auto push = std::ranges::find_if(
      facts.at("jobs"), [](const auto& job) { return job.at("job") == "push.orders"; });
  ASSERT_NE(push, facts.at("jobs").end());
  EXPECT_EQ(push->at("fault"), "person");
  EXPECT_EQ(daemon.stop(), 0);
}

const std::string kHint = "\"A statement waits for a lock\"";

struct StatusOfALockedCrm : BridgeAndPostgresql {
  StatusOfALockedCrm() {
    crm_.insert(orders(3));
    EXPECT_EQ(command({"sync"}).status, 0);
  }
  void lock(const std::string& table) {
    beside_->begin();
    beside_->execute({"LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE", {}});
  }
  // The query of docs/RUNBOOK.md that begins with this.
  static std::string of_the_runbook(const std::string& opening) {
    const std::string page = support::read_file(support::source_dir() + "/docs/RUNBOOK.md");
    const auto begin = page.find(opening);
    if (begin == std::string::npos) throw std::invalid_argument("no " + opening);
    return page.substr(begin, page.find(';', begin) - begin);
  }

  std::unique_ptr<surveybridge::crm::Database> beside_ = crm_.open();
};

TEST_F(StatusOfALockedCrm, TellsTheRestAndTheStatementThatWaitsAndTheRunbookFindsTheHolder) {
  lock("orders");
  const auto hidden = command({"status"});
  EXPECT_EQ(hidden.status, 69);
  EXPECT_THAT(hidden.out, ContainsRegex("push    orders +waiting +[?]  not counted: ERROR: .*lock "
                                        "timeout .*: another session holds the lock\n"));
  EXPECT_THAT(hidden.out, ContainsRegex("ledger  orders +sent +3\n"));
  EXPECT_THAT(hidden.err, has(kHint));
  const auto facts = told({"status"}, 69);
  EXPECT_FALSE(facts.at("pushes").at(0).contains("waiting"));
  EXPECT_THAT(facts.at("pushes").at(0).at("not_counted").get<std::string>(), has("lock"));
  expect({"check"}, 69, testing::_, has(kHint));
  beside_->rollback();
  EXPECT_THAT(command({"status"}).out, ContainsRegex("push    orders +waiting +0\n"));

  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("started with"));
  lock("orders");
  support::Finished said;
  ASSERT_TRUE(daemon.until([&] {
    said = command({"status"});
    return said.out.find("in this step the database has not answered \"") != std::string::npos;
  })) << said.out;
  EXPECT_THAT(said.out, ContainsRegex("job     push.orders +in a step for [0-9]+ s\n"));
  const auto holders = crm_.rows(of_the_runbook("SELECT holder.pid"));
  ASSERT_FALSE(holders.empty());
  beside_->rollback();
  EXPECT_EQ(holders.at(0).at(0),
            plain(beside_->query({"SELECT pg_backend_pid()", {}}).rows.at(0).at(0)));
  EXPECT_EQ(daemon.stop(), 0);
}

// Though a statement may take an hour. Somebody who looks because the database does not answer sees
// the jobs first.
TEST_F(StatusOfALockedCrm, IsToldByEveryCommandInsteadOfWaitingForIt) {
  write(replaced(usual_, "[crm]\n", "[crm]\nstatement_timeout = \"1h\"\n"));
  lock("survey_push");
  const auto forget =
      bridge_program(with_file({"forget", "nobody@example.test"}, config_));  // this one waits
  support::ChildProcess waits(forget), stopped(forget);
  const auto said = command({"status"});
  EXPECT_EQ(said.status, 69);
  EXPECT_THAT(said.out, StartsWith("daemon  none runs here"));
  EXPECT_THAT(said.out, ContainsRegex("push    orders +waiting +[?]  not counted: "));
  EXPECT_THAT(said.out, ContainsRegex("locked  counts of the ledger: ERROR:  .*lock timeout"));
  EXPECT_THAT(said.out, has("walk    customers.LastActivityDate")) << "of another table";
  EXPECT_THAT(said.err, has(kHint));
  for (const Arguments& words : std::initializer_list<Arguments>{{"explain", "999"},
                                                                 {"preview"},
                                                                 {"check"},
                                                                 {"report"},
                                                                 {"release", "orders"},
                                                                 {"quarantine", "list"},
                                                                 {"doubt", "undo", "1"}})
    expect(words, 69, testing::_, has(kHint));
  for (auto* each : {&waits, &stopped})
    EXPECT_TRUE(each->wait_for("still waits for the database", std::chrono::seconds(20)));
  stopped.signal(SIGINT);
  EXPECT_EQ(stopped.wait(std::chrono::seconds(20)), 69);
  EXPECT_THAT(stopped.err(), has("stopped without it; type the command again\n"));
  beside_->rollback();
  EXPECT_EQ(waits.wait(std::chrono::seconds(20)), 1) << "nothing is known of this address";
}

// The server reads its locks anew only for who has not asked in the last 100 ms.
constexpr std::chrono::milliseconds kReadAnew{200};

TEST(StatusOnMariaDb, TellsAllThatALockOnTheLedgerDoesNotHideAndTheRunbookFindsTheHolder) {
  BridgeOn on(Server::mariadb);
  ASSERT_EQ(on.command({"sync", "pull"}).status, 0);
  const auto beside = on.crm_.open();
  beside->execute({"LOCK TABLES survey_push WRITE", {}});
  const auto facts = on.told({"status"}, 69);
  for (const char* looks : {"status", "check", "preview", "report"})
    on.expect({looks}, 69, testing::_, has(kHint));
  beside->execute({"UNLOCK TABLES", {}});
  EXPECT_EQ(facts.at("locked").at(0).at("part"), "counts of the ledger");
  EXPECT_THAT(facts.at("locked").at(0).at("why").get<std::string>(),
              has("another session holds the lock"));
  EXPECT_FALSE(facts.at("walks").empty()) << "of another table";

  on.crm_.insert(orders(1));
  const auto holder = on.crm_.open(), idle = on.crm_.open(), waits = on.crm_.open();
  const std::string update = "UPDATE orders SET first_name = 'x'";
  holder->begin();
  holder->execute({update, {}});
  auto done = std::async(std::launch::async, [&] { waits->execute({update, {}}); });
  const std::string query = StatusOfALockedCrm::of_the_runbook("SELECT p.id");
  std::vector<std::vector<std::string>> found;
  do {
    found = on.crm_.rows(query);
    ASSERT_FALSE(found.empty());
  } while (found.at(0).back() == "0" && done.wait_for(kReadAnew) == std::future_status::timeout);
  const auto id = plain(holder->query({"SELECT CONNECTION_ID()", {}}).rows.at(0).at(0));
  holder->rollback();
  EXPECT_EQ(found.at(0).at(0), id);
  EXPECT_EQ(found.at(0).back(), "1");
}

struct StatusPage : BridgeAndSqlite {
  StatusPage() { crm_.insert(orders(3)); }
  // All answers are searched.
  std::string asked(const std::string& path, const Arguments& headers = {}) const {
    auto all = answer_of(port_, path, headers);
    expect_no_private_words(all);
    return all;
  }

  int port_ = support::free_port();
};

TEST_F(StatusPage, ShowsAPersonAMonitorAndAScraperHowThingsStand) {
  write(with_page(usual_, port_));
  expect({"sync", "push"}, 0);
  expect({"verify"}, 0);
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("started with"));
  EXPECT_THAT(asked("/health"), has("200 OK"));
  std::string page;  // until the first steps are over, and their jobs wait
  EXPECT_TRUE(daemon.until([&] {
    page = asked("/?from=a-bookmark");
    return page.find("data-name=\"next step\">in ") != std::string::npos;
  }));
  std::string version = bridge({"--version"}).out;  // "surveybridge 1.2.3\nbuild: …"
  version.resize(version.find('\n'));
  EXPECT_THAT(page, AllOf(has("text/html", ">sent</td><td data-name=\"rows\">3</td>",
                              "<b>Well.</b>", "<footer>" + version),
                          lacks("<script")));
  EXPECT_THAT(asked("/metrics"), has("surveybridge_transactions{push=\"orders\",state=\"sent\"} 3",
                                     "surveybridge_verify_differences{push=\"orders\"} 0\n"));
  EXPECT_THAT(asked("/secret"), has("404 Not Found"));
  EXPECT_THAT(answer_of(port_, "/", {}, "POST"), has("405 Method Not Allowed"));
  // The port may be free later.
  expect({"run"}, 69, testing::_, has("cannot listen on 127.0.0.1"));
  EXPECT_EQ(daemon.stop(), 0);
}

const std::string kOld = "the-token-of-last-year", kNew = "the-token-of-this-year";

TEST_F(StatusPage, NeedsTheTokenAndTakesANewOneWithAReload) {
  const auto token = folder_.write("token", kOld + "\n");
  std::filesystem::permissions(token, std::filesystem::perms::owner_all);  // else it is refused
  write(with_page(usual_, port_, "token = { file = \"" + token + "\" }\n"));
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("started with"));
  for (const char* path : {"/", "/metrics", "/quarantine", "/nowhere"})
    EXPECT_THAT(asked(path),
                AllOf(StartsWith("HTTP/1.1 401"),
                      has("WWW-Authenticate: Basic realm=", "WWW-Authenticate: Bearer realm="),
                      lacks("push.orders")))
        << path;
  EXPECT_THAT(asked("/health"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(asked("/ready"), testing::Not(StartsWith("HTTP/1.1 401")));
  const std::string old = "Authorization: Bearer " + kOld, next = "Authorization: Bearer " + kNew;
  EXPECT_THAT(asked("/", {old}), has("push.orders"));
  EXPECT_THAT(asked("/", {next}), StartsWith("HTTP/1.1 401"));
  EXPECT_THAT(asked("/", {old, old}), StartsWith("HTTP/1.1 401")) << "a repeated header";

  folder_.write("token", kNew + "\n");
  daemon.reload();
  ASSERT_TRUE(daemon.says("the configuration was read anew"));
  EXPECT_TRUE(daemon.until([&] { return asked("/", {next}).starts_with("HTTP/1.1 200"); }));
  EXPECT_THAT(asked("/", {old}), StartsWith("HTTP/1.1 401"));

  folder_.write("token", "short\n");
  daemon.reload();
  ASSERT_TRUE(daemon.says("status.token: the token must have 16 to 1024"));
  EXPECT_THAT(asked("/", {next}), StartsWith("HTTP/1.1 200")) << "the old one stays in force";
  EXPECT_EQ(daemon.stop(), 0);
}

struct AlertCommand : BridgeAndSqlite {
  void tell(const std::string& mail_server) {
    write(usual_ +
          "\n[alert.ops]\nmail = [\"ops@alerts.invalid\"]\n"
          "from = \"bridge@alerts.invalid\"\nserver = \"" +
          mail_server + "\"\n[alert.chat]\nwebhook = \"" + chat_.url() +
          "/hook\"\n[report.mail.board]\nto = "
          "[\"board@alerts.invalid\"]\nthrough = \"ops\"\n"
          "every = \"Monday 08:00\"\n");
  }
  // What the webhook heard last.
  json heard() const { return json::parse(chat_.heard().back().body); }
  int failed(const std::string& unit, const std::string& status) {
    return support::run(bridge_program({"alert", "failed", "-c", config_},
                                       {"MONITOR_UNIT=" + unit, "MONITOR_SERVICE_RESULT=exit-code",
                                        "MONITOR_EXIT_STATUS=" + status}))
        .status;
  }
  const support::SmtpServer mails_;
  const RawServer chat_{[](const RawServer::Heard&) {
    return RawServer::Said{support::ok("{}"), RawServer::Said::Then::close};
  }};
};

TEST_F(AlertCommand, TestTellsEachReceiverAndSaysTheOutcome) {
  expect({"alert", "test"}, 2);  // there is no receiver
  tell(mails_.url());
  expect({"check"}, 0);
  EXPECT_THAT(mails_.heard(), testing::Not(Contains("DATA"))) << "a check sends nothing";
  expect({"alert", "test"}, 0,
         has("alert.ops: ops@alerts.invalid: sent\n", "alert.chat: webhook: sent\n",
             "report.mail.board: board@alerts.invalid: sent\n"));
  EXPECT_THAT(mails_.heard(), Contains("RCPT TO:<ops@alerts.invalid>"));
  EXPECT_THAT(heard()["title"].get<std::string>(), has("a test"));
  tell("smtp://127.0.0.1:1");
  expect({"alert", "test"}, 69,
         has("alert.ops: ops@alerts.invalid: not sent: cannot reach smtp://",
             "alert.chat: webhook: sent\n"));
  const auto messages = told({"alert", "test"}, 69).at("messages");
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_THAT(
      messages,
      Contains(json{
          {"receiver", "alert.chat"}, {"to", "webhook"}, {"sent", true}, {"reason", nullptr}}));
  for (const auto& message : messages) {
    if (message.at("receiver") != "alert.ops") continue;
    EXPECT_EQ(message.at("to"), "ops@alerts.invalid");
    EXPECT_EQ(message.at("sent"), false);
    EXPECT_THAT(message.at("reason").get<std::string>(), has("cannot reach smtp://"));
  }
  expect({"check"}, 69, testing::_, has("alert.ops: cannot reach smtp://127.0.0.1:1"));
}

TEST_F(AlertCommand, TellsOfAFailedUnitThoughTheFileIsWrongElsewhere) {
  tell(mails_.url());
  EXPECT_EQ(failed("surveybridge-verify.service", "69"), 0);
  EXPECT_EQ(heard()["begun"][0]["what"], "surveybridge-verify.service has failed: exit-code 69");
  write(replaced(support::read_file(config_), "[pull.customers]", "[pull.custmers]"));
  EXPECT_EQ(failed("surveybridge.service", "78"), 0);
  EXPECT_EQ(heard()["begun"][0]["what"], "surveybridge.service has failed: exit-code 78");
  EXPECT_THAT(heard()["begun"][0]["command"].get<std::string>(), has("surveybridge check"));
}

// With 1 the daemon would have to tell what was found, and nothing was.
TEST_F(AlertCommand, TellsOfAVerifyThatTheServicesListDoesNotLetEnd) {
  static constexpr const char* kColumns =
      R"({"CustomerDataColumns":[{"Id":7,"Archived":false,"Name":"OrderNumber"}]})";
  const RawServer endless([](const RawServer::Heard& heard) {
    const bool asks_columns = heard.head.find("customerdatacolumn") != std::string::npos;
    return RawServer::Said{support::ok(
        asks_columns ? kColumns
                     : R"({"Customers":[{"Id":1,"Email":"x@y.invalid"}],"NextCursor":"again"})")};
  });
  tell(mails_.url());
  make_tables();
  write(replaced(support::read_file(config_), sandbox_.url(), endless.url()));
  expect({"verify"}, 69, "", has("the list does not end"));
}

}  // namespace
}  // namespace program
