// Configurations with faults: exit 78, and a message with file, line, column, setting, rule and
// value; and every example, which is right.
#include <filesystem>

#include <gmock/gmock.h>
#include <unistd.h>

#include "tests/program/bridge_and_crm.hpp"
#include "tests/support/paths.hpp"

namespace program {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

TEST(GoodConfiguration, EveryExampleIsRight) {
  const std::string source = support::source_dir();
  const support::TemporaryFolder folder;
  std::string demo = support::read_file(source + "/demo/surveybridge.toml");
  demo = replaced(replaced(demo, "@BASE_URL@", "http://127.0.0.1:1"), "@FOLDER@", folder.path());
  demo = replaced(demo, "@CONNECTION@", "\"sqlite3://" + folder.path() + "/crm.db\"");
  demo = replaced(demo, "@ALERTS@", "http://127.0.0.1:1/");
  std::vector<std::string> files{
      folder.write("demo.toml", demo),
      folder.write("bridge.toml", configuration("sqlite3://crm.db", "http://127.0.0.1:1"))};
  for (const auto& example : fs::directory_iterator(source + "/config/examples"))
    if (example.is_regular_file()) files.push_back(example.path().string());
  // Their secrets, too: `check --offline` asks for them.
  for (const char* name : {"token", "client-secret"})
    fs::permissions(folder.write(name, "secret"), fs::perms::owner_read);
  for (const auto& file : files) {
    const auto ran = support::run(bridge_program(
        {"check", "--offline", "-c", file},
        {"CREDENTIALS_DIRECTORY=" + folder.path(), "SURVEY_TOKEN=secret", "SANDBOX_TOKEN=secret"}));
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.out, file + ": ok (offline)\n");
  }
}

// One error in a configuration that is right otherwise.
struct Wrong {
  std::string name, right, instead, message;
};

std::ostream& operator<<(std::ostream& out, const Wrong& wrong) {
  return out << wrong.name;
}

class Configured : public BridgeAndSqlite {
 protected:
  Configured() { crm_.insert(orders(3)); }
};

// Found by the loader, before anything is opened: each command reports every one.
TEST_F(Configured, WhatTheLoaderFindsIsToldByEveryCommand) {
  const std::string several =
      replaced(replaced(replaced(usual_, "every     = \"1s\"\nquery", "evry = \"1s\"\nquery"),
                        "{ env = \"BRIDGE_TOKEN\" }", "\"t0ken-of-the-bridge\""),
               "settle    = \"5s\"", "settle = 5");
  const std::vector<std::string> problems = {
      "bridge.toml:26:1: push.orders.evry: unknown key (did you mean \"every\"?)",
      "bridge.toml:9:9: service.auth.token: ",
      "bridge.toml:33:10: push.orders.settle: must be a duration"};
  for (const auto& [text, told] :
       {std::pair{several, problems}, std::pair{replaced(usual_, "[crm]", "[crm"),
                                                std::vector<std::string>{"bridge.toml:21:5: "}}}) {
    const auto config = write(text);
    for (const char* command : {"run", "sync", "check", "preview", "status"}) {
      const auto asked = sandbox_.get("/sandbox/state")["requests"];
      const auto ran = bridge({command, "-c", config});
      EXPECT_EQ(ran.status, 78) << command;
      for (const auto& problem : told)
        EXPECT_THAT(ran.err, HasSubstr(problem)) << command;
      EXPECT_EQ(ran.out, "") << command;
      // `check` tries what is right of the file.
      if (std::string(command) == "check") continue;
      EXPECT_EQ(sandbox_.get("/sandbox/state")["requests"], asked) << command;
    }
  }
}

TEST_F(Configured, AFieldThatTheServiceLacksKeepsTheDaemonFromStarting) {
  const auto config = write(replaced(usual_, "Priority        =", "Prioriti ="));
  for (const Arguments& command : {Arguments{"run"}, {"sync"}, {"check", "--offline"}}) {
    Arguments arguments = command;
    arguments.insert(arguments.end(), {"-c", config});
    const auto ran = bridge(arguments);
    EXPECT_EQ(ran.status, 78) << command[0];
    EXPECT_THAT(ran.err, HasSubstr("bridge.toml:45:1: push.orders.customer.Prioriti: "))
        << command[0];
  }
}

// Found only by asking the database and the service.
class FoundByAsking : public Configured, public testing::WithParamInterface<Wrong> {};

TEST_P(FoundByAsking, IsToldByCheckWithItsPlaceAndStopsASync) {
  ASSERT_EQ(bridge({"check", "-c", write(usual_)}).status, 0);
  const std::string wrong = replaced(usual_, GetParam().right, GetParam().instead);
  const auto checked = bridge({"check", "-c", write(wrong)});
  EXPECT_EQ(checked.status, 78);
  EXPECT_THAT(checked.err, HasSubstr(GetParam().message));
  if (!GetParam().right.starts_with("table")) {  // a write-back does not belong to a push
    const auto synced = bridge({"sync", "-c", write(wrong), "push"});
    EXPECT_EQ(synced.status, 78);
    EXPECT_THAT(synced.out, HasSubstr("gave up: "));
  }
  EXPECT_THAT(sandbox_.customers(), IsEmpty());
  EXPECT_EQ(bridge({"sync", "-c", write(usual_), "push"}).status, 0);
  EXPECT_THAT(sandbox_.customers(), SizeIs(3)) << "and once it is mended, nothing was lost";
}

INSTANTIATE_TEST_SUITE_P(
    Things, FoundByAsking,
    testing::Values(
        Wrong{"ColumnOfTheQuery", "\"first_name\"", "\"frist_name\"",
              "bridge.toml:49:15: push.orders.customer.Data.FirstName: the query has no column "
              "\"frist_name\" (did you mean \"first_name\"?)"},
        Wrong{"DataColumn", "LastName    =", "Lastname2 =",
              "bridge.toml:50:1: push.orders.customer.Data.Lastname2: "},
        Wrong{"Query", "SELECT * FROM orders", "SELECT * FROM oders",
              "bridge.toml:27:13: push.orders.query: no such table: oders"},
        Wrong{"FolderOfFiles", "BaseQuestionId         = 1200\n",
              "BaseQuestionId = 1200\n"
              "FileAnswers = [{ Data = { column = \"id\", folder = \"/srv/away\" } }]\n",
              "push.orders.customer: /srv/away: No such file or directory"},
        Wrong{"TableToWriteTo", "table = \"orders\"", "table = \"ordres\"",
              "bridge.toml:64:1: pull.customers.write.table: "}),
    [](const auto& wrong) { return wrong.param.name; });

TEST_F(Configured, CheckNamesSegmentsThatAreNoDataColumns) {
  const auto config =
      write(usual_ + "\n[report]\nsegments = [\"Prodct\"]\nhidden = [\"FirstName\", \"Nobody\"]\n");
  const auto ran = bridge({"check", "-c", config});
  EXPECT_EQ(ran.status, 78);
  EXPECT_THAT(ran.err, HasSubstr("report.segments: the service has no data column \"Prodct\""));
  EXPECT_THAT(ran.err, HasSubstr("report.hidden: the service has no data column \"Nobody\""));
  EXPECT_THAT(ran.err, Not(HasSubstr("no data column \"FirstName\"")));
}

TEST_F(Configured, CheckTriesWhatIsRightOfAWrongFile) {
  const auto check = [this](const std::string& text) {
    const auto ran = bridge({"check", "-c", write(text)});
    EXPECT_EQ(ran.status, 78);
    return ran.err;
  };
  const std::string no_query = replaced(usual_, "SELECT * FROM orders", "SELECT * FROM oders");
  const std::string no_column = replaced(usual_, "LastName    =", "Lastname2 =");
  const auto wrong_pull = check(replaced(no_query, "overlap = \"1h\"", "overlap = 1"));
  EXPECT_THAT(wrong_pull, HasSubstr("pull.customers.overlap: must be"));
  EXPECT_THAT(wrong_pull, HasSubstr("push.orders.query: no such table: oders"));
  const auto wrong_service = check(replaced(no_query, "timeout   = \"20s\"", "timeout = 20"));
  EXPECT_THAT(wrong_service, HasSubstr("service.timeout: must be"));
  EXPECT_THAT(wrong_service, HasSubstr("push.orders.query: no such table: oders"));
  const auto wrong_crm = check(replaced(no_column, "time_zone  = \"Europe/Amsterdam\"\n[push",
                                        "time_zone = \"Europe/Amsterdm\"\n[push"));
  EXPECT_THAT(wrong_crm, HasSubstr("crm.time_zone: "));
  EXPECT_THAT(wrong_crm, HasSubstr("push.orders.customer.Data.Lastname2: "));
  const auto wrong_push = check(replaced(no_query, "settle    = \"5s\"", "settle = 5"));
  EXPECT_THAT(wrong_push, HasSubstr("push.orders.settle: must be"));
  EXPECT_THAT(wrong_push, Not(HasSubstr("no such table"))) << "it is not known what was meant";
  EXPECT_THAT(sandbox_.customers(), IsEmpty());
}

// The authority that is trusted decides who may read the token: its file is judged like this one.
TEST_F(Configured, NothingIsDoneWithAnAuthorityThatOthersMayWrite) {
  const std::string file = folder_.write("authority.pem", "none");
  const std::string text =
      replaced(usual_, "[service.auth]", "ca_file = \"" + file + "\"\n[service.auth]");
  const auto told = [&] { return bridge({"sync", "-c", write(text)}); };
  if (::geteuid() == 0) {
    fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
    const auto others = told();
    EXPECT_EQ(others.status, 78);
    EXPECT_THAT(others.err, HasSubstr("service.ca_file: \"" + file + "\" "));
    EXPECT_THAT(others.err, HasSubstr("whoever may write it"));
  }
  fs::remove(file);
  const auto none = told();
  EXPECT_EQ(none.status, 78);
  EXPECT_THAT(none.err, HasSubstr("service.ca_file: \"" + file + "\" cannot be read"));
  EXPECT_THAT(sandbox_.customers(), IsEmpty());
}

TEST_F(Configured, CheckReadsTheMapThoughTheDatabaseIsAway) {
  const auto ran =
      bridge({"check", "-c",
              write(replaced(replaced(usual_, crm_.connection(), "sqlite3:///none/crm.db"),
                             "LastName    =", "Lastname2 ="))});
  EXPECT_EQ(ran.status, 78);
  EXPECT_THAT(ran.err, HasSubstr("there is no file \"/none/crm.db\""));
  EXPECT_THAT(ran.err, HasSubstr("push.orders.customer.Data.Lastname2: "));
}

TEST(CheckOfAConfiguration, CheckNamesEveryTableThatMayNotBeWritten) {
  Crm crm(Server::postgresql);
  const SandboxProgram sandbox({"--speed", "0"});
  const support::TemporaryFolder folder;
  const std::string right = configuration(crm.connection(), sandbox.url());
  const auto config = folder.write("bridge.toml", right);
  ASSERT_EQ(bridge({"forget", "--unknown", "nobody@example.test", "-c", config}).status,
            0);  // the tables
  auto& server = support::PostgresServer::shared();
  server.sql("postgres", "DROP ROLE IF EXISTS reader");
  server.sql("postgres", "CREATE ROLE reader LOGIN");
  crm.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader");
  crm.execute("GRANT INSERT, UPDATE ON survey_lease TO reader");
  const auto ran = bridge(
      {"check", "-c", folder.write("reader.toml", replaced(right, "user=bridge", "user=reader"))});
  crm.execute("DROP OWNED BY reader");
  server.sql("postgres", "DROP ROLE reader");
  EXPECT_EQ(ran.status, 78);
  for (const char* table : {"survey_push", "survey_customer", "survey_cursor"})
    EXPECT_THAT(ran.err, HasSubstr("database: the table " + std::string(table) +
                                   " cannot be written (INSERT, UPDATE, DELETE): "));
  EXPECT_THAT(ran.err, HasSubstr("the table survey_lease cannot be written (DELETE): "));
}

TEST(CheckOfAConfiguration, CheckTriesTheTablesThatAreThereThoughOthersAreMissing) {
  Crm crm(Server::postgresql);
  const SandboxProgram sandbox({"--speed", "0"});
  const support::TemporaryFolder folder;
  const std::string right = configuration(crm.connection(), sandbox.url());
  const auto config = folder.write("bridge.toml", right);
  ASSERT_EQ(bridge({"forget", "--unknown", "nobody@example.test", "-c", config}).status,
            0);  // the tables
  crm.execute("DROP TABLE survey_verify");
  auto& server = support::PostgresServer::shared();
  server.sql("postgres", "DROP ROLE IF EXISTS half");
  server.sql("postgres", "CREATE ROLE half LOGIN");
  crm.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO half");
  crm.execute("REVOKE DELETE ON survey_lease FROM half");
  const auto as_half = folder.write("half.toml", replaced(right, "user=bridge", "user=half"));
  const auto none_created = bridge({"check", "-c", as_half});
  crm.execute("GRANT CREATE ON SCHEMA public TO half");
  const auto created = bridge({"check", "-c", as_half});
  crm.execute("DROP OWNED BY half");
  server.sql("postgres", "DROP ROLE half");
  EXPECT_EQ(none_created.status, 78);
  EXPECT_THAT(none_created.err, HasSubstr("database: the bridge's tables cannot be created: "));
  EXPECT_EQ(created.status, 78);
  EXPECT_THAT(created.err, Not(HasSubstr("cannot be created")));
  for (const auto& ran : {none_created, created})
    EXPECT_THAT(ran.err,
                HasSubstr("database: the table survey_lease cannot be written (DELETE): "));
}

TEST_F(Configured, AQueryOfSuppressIsTriedToo) {
  const auto with = [this](const std::string& query) {
    return bridge({"check", "-c", write(usual_ + "\n[suppress]\nquery = \"" + query + "\"\n")});
  };
  const auto right = with("SELECT email FROM orders");
  EXPECT_EQ(right.status, 0) << right.err;
  const auto ran = with("SELECT email FROM oders");
  EXPECT_EQ(ran.status, 78);
  EXPECT_THAT(ran.err, HasSubstr("bridge.toml:77:1: suppress.query: no such table: oders"));
}

TEST_F(Configured, CheckTriesEachListAndCountsTheClosedDays) {
  crm_.execute("CREATE TABLE staff (mail TEXT)");
  crm_.execute("INSERT INTO staff VALUES ('a@b.test')");
  const std::string lists =
      "\n[suppress.lists.staff]\nquery = \"SELECT mail FROM staff\"\n"
      "[suppress.lists.gone]\nquery = \"SELECT mail FROM gone\"\n";
  const auto ran = bridge({"check", "-c",
                           write(replaced(usual_, "[push.orders]\n",
                                          "[push.orders]\nclosed = [2026-12-25, 2027-01-01]\n") +
                                 lists)});
  EXPECT_EQ(ran.status, 78);
  EXPECT_THAT(ran.err, HasSubstr("note: suppress.lists.staff.query: 1 address of the column"));
  EXPECT_THAT(ran.err, HasSubstr("suppress.lists.gone.query: no such table: gone"));
  EXPECT_THAT(ran.err, HasSubstr("note: push.orders.closed: 2 days on which nothing goes out, the "
                                 "last one 2027-01-01"));
}

TEST_F(Configured, CheckCountsTheAddressesOfTheOperatorsList) {
  const auto with = [this](const std::string& lines) {
    return bridge({"check", "-c", write(usual_ + "\n[suppress]\n" + lines)});
  };
  crm_.execute("CREATE TABLE no_mail (id INTEGER, note TEXT, mail TEXT)");
  EXPECT_THAT(with("query = \"SELECT id, mail FROM no_mail\"\n").err,
              HasSubstr("note: suppress.query: the list is empty"));
  crm_.execute("INSERT INTO no_mail VALUES (1, 'a', 'a@b.test; Ann <c@d.test>'), (2, 'b', 'none')");
  const auto found = with("query = \"SELECT id, mail FROM no_mail\"\n");
  EXPECT_EQ(found.status, 0) << found.err;
  EXPECT_THAT(found.err,
              HasSubstr("note: suppress.query: 2 addresses of the column \"mail\"; 1 of 2"
                        " values cannot be read as addresses, or not whole"));
  const auto named = with("query = \"SELECT id, note, mail FROM no_mail\"\ncolumn = \"note\"\n");
  EXPECT_EQ(named.status, 78);
  EXPECT_THAT(named.err,
              HasSubstr("suppress.query: [suppress] query has 2 values, and none of them has the"
                        " form of an e-mail address"));
  EXPECT_EQ(with("query = \"SELECT id, mail FROM no_mail\"\ncolumn = \"email\"\n").status, 78);
  EXPECT_EQ(with("column = \"mail\"\n").status, 78) << "it needs a query";
}

// Some rows go out, and nobody would look for those that never do.
TEST_F(Configured, CheckCountsTheRowsThatAreTooOldThoughOthersGoOut) {
  crm_.execute("UPDATE orders SET delivered_at = '2025-06-01T12:00:00.000000Z' WHERE id = 1");
  crm_.execute("UPDATE orders SET delivered_at = '" +
               crm_.cell("SELECT strftime('%Y-%m-%dT%H:%M:%f000Z', 'now', '-1 hour')") +
               "' WHERE id > 1");
  const auto ran = bridge({"check", "-c", write(replaced(usual_, "3650d", "7d"))});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("1 rows lie between start and "));
}

TEST_F(Configured, APreviewNamesKeysOfSeveralRows) {
  const auto config =
      write(replaced(replaced(usual_, "key       = \"id\"", "key       = \"priority\""),
                     "OrderNumber = \"id\"", "OrderNumber = \"priority\""));
  crm_.execute("UPDATE orders SET priority = 4");
  const auto ran = bridge({"preview", "-c", config});
  EXPECT_THAT(ran.out, HasSubstr("quarantined: the query returns this key for several"));
  EXPECT_EQ(ran.status, 1) << ran.err;
}

// Without the old ledger the bridge would begin anew.
TEST_F(Configured, CheckNamesALedgerThatIsNotInTheStore) {
  ASSERT_EQ(bridge({"sync", "-c", write(usual_), "push"}).status, 0);
  const auto ran = bridge(
      {"check", "-c",
       write(usual_ + "[store]\nconnection = \"sqlite3://" + folder_.path() + "/store.db\"\n")});
  EXPECT_THAT(ran.err, HasSubstr("`surveybridge move` brings it to [store]"));
}

TEST(CheckOfAConfiguration, ARequiredDataColumnThatNobodyFillsIsNamed) {
  Crm crm(Server::sqlite);
  const SandboxProgram sandbox({"--column", "1:OrderNumber", "--column", "2:FirstName", "--column",
                                "3:LastName", "--column", "4:Product", "--column", "5:Country!"});
  const support::TemporaryFolder folder;
  const auto ran = bridge(
      {"check", "-c", folder.write("bridge.toml", configuration(crm.connection(), sandbox.url()))});
  EXPECT_EQ(ran.status, 78);
  EXPECT_THAT(ran.err, HasSubstr("Country"));
}

}  // namespace
}  // namespace program
