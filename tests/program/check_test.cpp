// What `check` tells before anything runs, where transcripts/check.txt cannot say it: of servers,
// of rights, and every example. What the loader finds is told by every command.
#include <filesystem>

#include <unistd.h>

#include "tests/program/world.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/raw_server.hpp"

namespace program {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

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

struct Check : BridgeAndSqlite {
  Check() { crm_.insert(orders(3)); }
};

// Found by the loader, before anything is opened: each command reports every one.
TEST_F(Check, WhatTheLoaderFindsIsToldByEveryCommand) {
  const std::string several =
      replaced(replaced(replaced(usual_, "every     = \"1s\"\nquery", "evry = \"1s\"\nquery"),
                        "{ env = \"BRIDGE_TOKEN\" }", "\"t0ken-of-the-bridge\""),
               "settle    = \"5s\"", "settle = 5");
  const std::pair<std::string, Arguments> files[] = {
      {several,
       {"bridge.toml:26:1: push.orders.evry: unknown key (did you mean \"every\"?)",
        "bridge.toml:9:9: service.auth.token: ",
        "bridge.toml:33:10: push.orders.settle: must be a duration"}},
      {replaced(usual_, "[crm]", "[crm"), {"bridge.toml:21:5: "}},
      {replaced(usual_, "brake = false\n", "brake = false\nnotify = \"orders_changed\"\n"),
       {"push.orders.notify: only a database that is reached by postgresql:// can notify"}},
      {replaced(usual_, "Priority        =", "Prioriti ="),
       {"bridge.toml:45:1: push.orders.customer.Prioriti: "}}};
  for (const auto& [text, problems] : files) {
    write(text);
    for (const Arguments& words :
         {Arguments{"run"}, {"sync"}, {"check"}, {"check", "--offline"}, {"preview"}, {"status"}}) {
      // Which fields the service has is no matter of the database.
      const bool of_the_map = text.find("Prioriti") != std::string::npos;
      if (words.front() == "status" && of_the_map) continue;
      const auto asked = sandbox_.get("/sandbox/state")["requests"];
      expect(words, 78, "", has_each(problems));
      // `check` tries what is right of the file, and a preview asks for the data columns first.
      if (words == Arguments{"check"} || (words.front() == "preview" && of_the_map)) continue;
      EXPECT_EQ(sandbox_.get("/sandbox/state")["requests"], asked) << words.front();
    }
  }
  write(replaced(usual_, "[crm]", "[crm]\nconections = 3"));
  for (const Arguments& words : {Arguments{"check"}, {"check", "--offline"}})
    EXPECT_THAT(told(words, 78).at("problems").at(0).get<std::string>(),
                has("crm.conections: unknown key"));
  write(usual_);
  const auto right = told({"check"});
  EXPECT_EQ(right.at("file"), config_);
  EXPECT_TRUE(right.at("problems").empty());
  EXPECT_TRUE(right.at("notes").is_array());
}

// The authority that is trusted decides who may read the token: its file is judged like this one.
TEST_F(Check, NothingIsDoneWithAnAuthorityThatOthersMayWrite) {
  const std::string file = folder_.write("authority.pem", "none");
  write(replaced(usual_, "[service.auth]", "ca_file = \"" + file + "\"\n[service.auth]"));
  if (::geteuid() == 0) {
    fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
    expect({"sync"}, 78, testing::_,
           has("service.ca_file: \"" + file + "\" ", "whoever may write it"));
  }
  fs::remove(file);
  expect({"sync"}, 78, testing::_, has("service.ca_file: \"" + file + "\" cannot be read"));
  EXPECT_THAT(sandbox_.customers(), IsEmpty());
}

// A CRM's own program may count on the journal mode of its file. The test's own session goes on
// telling the mode that it knows: the file is read.
TEST_F(Check, LeavesAFileAsItIs) {
  EXPECT_EQ(crm_.cell("PRAGMA journal_mode = DELETE"), "delete");
  const std::string path = crm_.connection().substr(std::string_view("sqlite3://").size());
  const std::string before = support::read_file(path);
  for (const Arguments& looks : {Arguments{"check"}, {"preview", "-n", "2"}, {"status"}}) {
    expect(looks, 0);
    EXPECT_TRUE(support::read_file(path) == before) << looks[0];
  }
}

TEST_F(Check, SaysThatAnOdbcDriverIsMissing) {
  write(replaced(usual_, crm_.connection(), "odbc://Driver=absent;Server=127.0.0.1"));
  for (const char* word : {"check", "sync", "status"})
    expect({word}, 78, testing::_, has("Driver= names a section of /etc/odbcinst.ini"));
}

TEST_F(Check, NamesThePushThatAListWithoutItsAddressesHolds) {
  make_tables();
  crm_.execute("CREATE TABLE do_not_mail (address TEXT)");
  crm_.execute(
      "INSERT INTO survey_seal (name, value) VALUES ('own list before orders suppress', '2')");
  write(usual_ + "[suppress]\nquery = \"SELECT address FROM do_not_mail\"\n");
  expect({"check"}, 0, testing::_,
         has("push.orders: a list of [suppress] has lost its addresses: [suppress] query lists"
             " nobody, and listed 2 addresses before: nothing goes out before it lists them, or a"
             " person releases"));
  expect({"sync", "push"}, 1);
  expect({"release", "orders"}, 1,
         has("query lists nobody, and listed 2 addresses before",
             "a release mails the people whom the list names no longer",
             "to let them go: surveybridge release orders --confirm "));
  EXPECT_THAT(sandbox_.customers(), IsEmpty());
  expect({"release", "orders", "--confirm", crm_.cell("SELECT COUNT(*) FROM orders")}, 0);
  expect(
      {"release", "orders"}, 0,
      has("released before: ", ": the brake holds: a list of [suppress] has lost its addresses"));
}

// Why the service lists less than was sent, nobody knows yet.
TEST_F(Check, ReleaseWarnsWhereTheLedgerMayBeOlderThanTheService) {
  make_tables();
  crm_.execute(
      "INSERT INTO survey_brake (push, fingerprint, allowance, passed, reason) VALUES"
      " ('orders', '', 0, 3, 'it is not known whether the ledger is older than the service: "
      "none')");
  const auto warns =
      has("release it only if the bridge's tables were certainly not restored from a backup: what"
          " was sent after the backup would be mailed again");
  expect({"release", "orders"}, 1, warns);
  crm_.execute("UPDATE survey_brake SET reason = 'a spike'");
  expect({"release", "orders"}, 1, testing::Not(warns));
}

// The list is read less often than it may be old.
TEST_F(Check, SaysThatPushesWaitForAListThatIsReadTooSeldom) {
  const auto every = [&](const std::string& length) {
    return replaced(usual_, "[pull.customers]\nevery   = \"1s\"",
                    "[pull.customers]\nevery   = \"" + length + "\"") +
           "[suppress]\nopted_out = true\nstale_after = \"2h\"\n";
  };
  write(every("3h"));
  expect({"check"}, 0, testing::_,
         has("suppress.stale_after: [pull.customers] is read every 3 h, and nothing goes out when"
             " that was more than 2 h ago"));
  write(every("1h"));
  expect({"check"}, 0, testing::_, testing::Not(has("suppress.stale_after: ")));
}

// Counting its rows does not compute the column.
TEST(CheckOnServers, ReadsTheFirstRowsOfAQuery) {
  for (const Server server : {Server::postgresql, Server::odbc}) {
    BridgeOn crm(server);
    crm.crm_.insert(orders(3));
    crm.write(replaced(crm.usual_, "SELECT * FROM orders",
                       "SELECT id, email, first_name, last_name, phone, amount, delivered_at,"
                       " remark, grade, CAST(email AS integer) AS priority FROM orders"));
    for (const char* looks : {"check", "preview"})
      crm.expect({looks}, 78, testing::_,
                 has("a value cannot be read as the type that is asked for"));
  }
}

// Before the bridge's tables are there.
TEST(CheckOnServers, SaysWhyNothingWouldGoOut) {
  for (const Server server : {Server::postgresql, Server::odbc, Server::mariadb, Server::mysql}) {
    BridgeOn crm(server);
    crm.crm_.insert(orders(3));
    crm.crm_.execute("UPDATE orders SET delivered_at = '2999-01-01 00:00:00'");
    EXPECT_THAT(crm.command({"check"}).err, has("3 later than the database's clock"));
  }
}

TEST_F(Check, NamesAPlaceOfAStoreThatIsNotThere) {
  const Crm other(Server::postgresql), third(Server::mariadb);
  write(usual_ + store_in(other.connection()) + "schema = \"survey bridge\"\n");
  expect({"check"}, 78, testing::_, has("store: there is no schema \"survey bridge\""));
  write(usual_ + store_in(third.connection()) + "schema = \"nowhere\"\n");
  const auto database = command({"check"});
  EXPECT_NE(database.status, 0);
  EXPECT_THAT(database.err, has("nowhere"));
}

// There a CREATE TABLE cannot be tried and taken back.
TEST(CheckOnServers, NamesARoleOfMariadbThatMayCreateNoTable) {
  BridgeOn on(Server::mariadb);
  Crm& crm = on.crm_;
  const std::string role = "'maker'@'localhost'";
  crm.execute("CREATE USER " + role);
  on.write(replaced(on.usual_, "UID=root", "UID=maker"));
  const std::string database = crm.cell("SELECT DATABASE()");
  crm.execute("GRANT SELECT ON `" + database + "`.* TO " + role);
  const auto refused = on.command({"check"});
  crm.execute("GRANT CREATE ON `" + database + "`.* TO " + role);
  const auto without_preview = on.command({"check"});
  const auto found = refused.err.find("GRANT CREATE");
  if (found != std::string::npos)
    crm.execute(refused.err.substr(found, refused.err.find('\n', found) - found));
  const auto created = on.command({"check"}), shown = on.command({"preview"});
  const std::string tables = crm.count(
      "information_schema.tables WHERE table_schema = DATABASE() AND table_name LIKE 'survey%'");
  crm.execute("DROP USER " + role);
  EXPECT_EQ(refused.status, 78);
  EXPECT_THAT(refused.err, has("database: the bridge's tables cannot be created: ",
                               "a database for the bridge alone is better ([store]"));
  EXPECT_THAT(without_preview.err,
              has("cannot be created: the account has no right to do that in this database"));
  ASSERT_NE(found, std::string::npos) << refused.err;
  EXPECT_THAT(refused.err.substr(found), has(" ON `" + database + "`.* TO " + role + "\n"));
  EXPECT_THAT(created.err, lacks("cannot be created"));
  EXPECT_THAT(shown.err, lacks("denied")) << "preview needs no other right";
  EXPECT_EQ(tables, "0");
}

TEST(CheckOnServers, NamesEveryTableThatMayNotBeWrittenThoughOthersAreMissing) {
  BridgeOn on(Server::postgresql);
  Crm& crm = on.crm_;
  on.make_tables();
  auto& server = support::PostgresServer::shared();
  server.sql("postgres", "DROP ROLE IF EXISTS half");
  server.sql("postgres", "CREATE ROLE half LOGIN");
  crm.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO half");
  crm.execute("GRANT INSERT, UPDATE ON survey_lease TO half");
  on.write(replaced(on.usual_, "user=bridge", "user=half"));
  const std::string lease = "database: the table survey_lease cannot be written (DELETE): ",
                    none = "database: the bridge's tables cannot be created: ";
  Arguments unwritten = {lease};
  for (const char* table : {"survey_push", "survey_customer", "survey_cursor"})
    unwritten.push_back("database: the table " + std::string(table) +
                        " cannot be written (INSERT, UPDATE, DELETE): ");
  on.expect({"check"}, 78, testing::_, has_each(unwritten));
  crm.execute("DROP TABLE survey_verify");
  on.expect({"check"}, 78, testing::_, has(none, lease));
  crm.execute("GRANT CREATE ON SCHEMA public TO half");
  on.expect({"check"}, 78, testing::_, AllOf(has(lease), lacks(none)));
  crm.execute("DROP OWNED BY half");
  server.sql("postgres", "DROP ROLE half");
}

TEST(CheckOnServers, NamesTheTablesThatMayHideRows) {
  BridgeOn on(Server::postgresql);
  Crm& crm = on.crm_;
  auto& server = support::PostgresServer::shared();
  server.sql("postgres", "DROP ROLE IF EXISTS sees_some");
  server.sql("postgres", "CREATE ROLE sees_some LOGIN");
  crm.execute("GRANT CREATE ON SCHEMA public TO sees_some");
  crm.execute("GRANT SELECT, UPDATE ON ALL TABLES IN SCHEMA public TO sees_some");
  const std::string note = "push.orders.query: row level security of the table \"orders\"";
  on.write(replaced(on.usual_, "user=bridge", "user=sees_some"));
  EXPECT_THAT(on.command({"check"}).err, lacks(note));
  crm.execute("ALTER TABLE orders ENABLE ROW LEVEL SECURITY");
  EXPECT_THAT(on.command({"check"}).err, has(note));
  crm.execute("DROP OWNED BY sees_some");
  server.sql("postgres", "DROP ROLE sees_some");
}

TEST(CheckOnServers, NamesTheSchemaInWhichOthersMayCreate) {
  BridgeOn on(Server::postgresql);
  auto& server = support::PostgresServer::shared();
  server.sql("postgres", "DROP ROLE IF EXISTS creates");
  server.sql("postgres", "CREATE ROLE creates LOGIN");
  const std::string note = "other roles may create in the schema \"public\" of the search path";
  EXPECT_THAT(on.command({"check"}).err, lacks(note));
  on.crm_.execute("GRANT CREATE ON SCHEMA public TO creates");
  EXPECT_THAT(on.command({"check"}).err, has(note));
  on.crm_.execute("DROP OWNED BY creates");
  server.sql("postgres", "DROP ROLE creates");
}

TEST(CheckOnServers, RefusesAParameterInAQuery) {
  for (const Server server : {Server::postgresql, Server::odbc}) {
    BridgeOn on(server);
    on.write(replaced(on.usual_, "SELECT * FROM orders", "SELECT * FROM orders WHERE id > $1"));
    for (const char* word : {"check", "sync"})
      on.expect({word}, 78, testing::_, has("a $ with a number is a parameter"));
  }
}

TEST_F(Check, NamesTheColumnThatAServiceWithoutDataColumnsLacks) {
  const support::RawServer bare([](const auto&) {
    return support::RawServer::Said{support::ok(R"({"CustomerDataColumns":[]})")};
  });
  write(replaced(usual_, sandbox_.url(), bare.url()));
  for (const char* looks : {"check", "preview"}) {
    const auto ran = command({looks});
    EXPECT_NE(ran.status, 0) << looks;
    EXPECT_THAT(ran.err, has("push.orders.correlate: the service has no data column "
                             "\"OrderNumber\": it lists none at all"));
  }
}

}  // namespace
}  // namespace program
