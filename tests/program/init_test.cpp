// `surveybridge init` by options: from nothing to the preview of the first batch, and every problem
// at once. By answers on a terminal: what is asked, asked again and not shown.
#include <algorithm>

#include "tests/program/init_world.hpp"
#include "tests/program/private_words.hpp"
#include "tests/support/paths.hpp"

namespace program {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST_P(InitOn, ReachesThePreviewByOptions) {
  const auto ran = init(options());
  EXPECT_EQ(ran.status, 0) << ran.err;
  expect_ready(ran.out);
}

// As a person types it, whatever the database wants around it.
TEST_P(InitOn, TakesATableWhoseNameNeedsQuotes) {
  const std::string quote = speaks_mysql(GetParam()) ? "`" : "\"";
  crm_.execute("CREATE VIEW " + quote + "Sales Orders" + quote + " AS " + kDemoQuery);
  auto arguments = options();
  arguments.back() = "Sales Orders";
  const auto ran = init(arguments);
  EXPECT_EQ(ran.status, 0) << ran.err;
  expect_ready(ran.out);
}

// No word fits its name.
TEST_P(InitOn, ProposesThePrimaryKeyOfATable) {
  crm_.execute("CREATE TABLE facts (rowno INTEGER PRIMARY KEY, email TEXT, last_name TEXT, " +
               std::string("delivered_at ") +
               (speaks_mysql(GetParam()) ? "DATETIME(6))" : "TIMESTAMP)"));
  crm_.execute(
      "CREATE TABLE pairs (a INTEGER, b INTEGER, email TEXT, last_name TEXT,"
      " delivered_at TIMESTAMP, PRIMARY KEY (a, b))");
  auto arguments = options();
  arguments.back() = "facts";
  const auto ran = init(arguments);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(support::read_file(file()), HasSubstr("\nkey = \"rowno\"  "));
  arguments.back() = "pairs";
  arguments.push_back("--force");
  EXPECT_THAT(init(arguments).err, HasSubstr("init: --key: is required: "));
}

INSTANTIATE_TEST_SUITE_P(Servers, InitOn,
                         testing::Values(Server::sqlite, Server::postgresql, Server::odbc,
                                         Server::mariadb, Server::mysql),
                         server_name);

TEST_F(Init, TellsEveryProblemOfTheOptionsAtOnceAndWritesNothing) {
  const auto ran = init({"init", "-c", file(), "--base-url", "http://surveys.example.com",
                         "--token", "t0p", "--query", "DELETE FROM orders", "--start", "today",
                         "--time-zone", "Europe/Amsterdm", "--map", "FirstName"});
  EXPECT_EQ(ran.status, 2);
  for (const char* said :
       {"init: --base-url: must be https", "init: --token: is a secret: write file:PATH",
        "init: --connection: is required", "init: --query: must be a query that begins with SELECT",
        "init: --start: must be a date such as 2026-11-01, got \"today\"",
        "init: --time-zone: unknown time zone \"Europe/Amsterdm\" (did you mean",
        "init: --map: must be DataColumn=column, got \"FirstName\"", "init: no file was written"})
    EXPECT_THAT(ran.err, HasSubstr(said));
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(files_in(folder_.path()), 0);
}

TEST_F(Init, TriesServiceDatabaseAndMap) {
  const auto refused =
      init({"init", "-c", file(), "--base-url", sandbox_.url(), "--token", "env:PATH",
            "--connection", "sqlite3:///no/such.db", "--query", "orders"});
  EXPECT_EQ(refused.status, 78);
  EXPECT_THAT(refused.err, HasSubstr("init: --auth: not authorized: HTTP 401"));
  EXPECT_THAT(refused.err, HasSubstr("init: --connection: there is no file \"/no/such.db\""));
  const auto unmapped = init(options({"--map", "LastName=", "--map", "Product=id", "--key", "no"}));
  EXPECT_EQ(unmapped.status, 78);
  EXPECT_THAT(unmapped.err, HasSubstr("init: --map: is required: LastName, a data column that"));
  EXPECT_THAT(unmapped.err, HasSubstr("init: --map: the service has no data column \"Product\""));
  EXPECT_THAT(unmapped.err, HasSubstr("init: --key: the query has no column \"no\""));
  auto misspelt = options();
  misspelt.back() = "SELECT * FROM oders";
  EXPECT_THAT(init(misspelt).err, HasSubstr("init: --query: no such table: oders"));
  EXPECT_EQ(files_in(folder_.path()), 0);
}

TEST_F(Init, LeavesAFileOfSqliteAsItIs) {
  EXPECT_EQ(crm_.cell("PRAGMA journal_mode = DELETE"), "delete");
  const std::string path = crm_.connection().substr(std::string_view("sqlite3://").size());
  const std::string before = support::read_file(path);
  const auto ran = init(options());
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(support::read_file(path) == before);
}

TEST_F(Init, ComplainsOnceOfAnOptionThatIsWrong) {
  const auto ran = init(options({"--key", "no"}));
  EXPECT_EQ(ran.status, 78);
  EXPECT_THAT(ran.err, HasSubstr("init: --key: the query has no column \"no\""));
  EXPECT_THAT(ran.err, Not(HasSubstr("--map")));
  const auto date = init(options({"--when", "then"}));
  const auto first = date.err.find("has no column \"then\"");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(date.err.find("has no column \"then\"", first + 1), std::string::npos) << date.err;
  const auto both = init(options({"--key", "no", "--map", "OrderNumber=no"}));
  EXPECT_THAT(both.err, HasSubstr("init: --map: OrderNumber: "));
}

// What the administrator types is what is missing.
TEST_F(Init, EndsWithWhatIsWrongWhereTheRoleMayMakeNoTables) {
  auto& server = support::PostgresServer::shared();
  Crm other(Server::postgresql);
  server.sql("postgres", "DROP ROLE IF EXISTS maker");
  server.sql("postgres", "CREATE ROLE maker LOGIN");
  make_demo_orders(other, Server::postgresql);
  other.execute("GRANT SELECT ON orders TO maker");
  const auto as_maker = [&] {
    auto arguments = options({"--force"});
    *std::ranges::find(arguments, crm_.connection()) =
        replaced(other.connection(), "user=bridge", "user=maker");
    return init(arguments);
  };
  const auto refused = as_maker();
  EXPECT_EQ(refused.status, 78);
  const auto verdict = refused.out.find("\nNot ready: ");
  ASSERT_NE(verdict, std::string::npos) << refused.out << refused.err;
  const std::string end = refused.out.substr(verdict);
  const std::string grant = "GRANT CREATE, USAGE ON SCHEMA public TO maker";
  EXPECT_THAT(end, HasSubstr("the bridge's tables cannot be created: "));
  EXPECT_THAT(end, HasSubstr(grant + "\n"));
  EXPECT_THAT(end, HasSubstr("surveybridge check -c " + file()));
  EXPECT_THAT(refused.out, Not(HasSubstr("surveybridge run")));
  other.execute(grant);
  const auto ready = as_maker();
  EXPECT_EQ(ready.status, 0) << ready.err;
  EXPECT_THAT(ready.out, HasSubstr("surveybridge run"));
  EXPECT_THAT(ready.out, Not(HasSubstr("Not ready")));
  other.execute("DROP OWNED BY maker");
  server.sql("postgres", "DROP ROLE maker");
}

TEST_F(Init, SaysEveryNameThatIsWrongAndWhatThereIsToChooseFrom) {
  auto arguments =
      options({"--map", "FirstName=frist", "--when", "then", "--email", "male", "--key", "id"});
  *std::ranges::find(arguments, "env:BRIDGE_TOKEN") = "env:PATH";
  const auto ran = init(arguments);
  EXPECT_EQ(ran.status, 78);
  for (const char* said :
       {"init: --auth: not authorized", "init: --map: FirstName: the query has no column \"frist\"",
        "init: --when: the query has no column \"then\"",
        "init: --email: the query has no column \"male\"",
        "init: the query's columns: id, order_no, email, "})
    EXPECT_THAT(ran.err, HasSubstr(said));
  const auto known = init(options({"--map", "Shop=id", "--key", "no"}));
  for (const char* said : {"init: --map: the service has no data column \"Shop\"",
                           "init: --key: the query has no column \"no\"",
                           "init: the service's data columns: OrderNumber, "})
    EXPECT_THAT(known.err, HasSubstr(said));
  EXPECT_EQ(files_in(folder_.path()), 0);
}

TEST_F(Init, SaysOfAQueryWithoutADateThatOnlyTheDateIsMissing) {
  auto arguments = options();
  arguments.back() = "SELECT id, email, last_name FROM orders";
  const auto ran = init(arguments);
  EXPECT_NE(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("init: --when: is required: "));
  EXPECT_THAT(ran.err, Not(HasSubstr("init: --key")));
}

// The first date of a table may be one that each change of its row moves.
TEST_F(Init, AsksForTheDateWhereNoNameTellsIt) {
  auto arguments = options();
  arguments.back() =
      "SELECT id, email, last_name, delivered_at AS tms, delivered_at AS since_x"
      " FROM orders";
  const auto ran = init(arguments);
  EXPECT_NE(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err,
              HasSubstr("init: --when: is required: The date: when it happened (the query has the"
                        " dates tms, since_x; "));
  EXPECT_EQ(files_in(folder_.path()), 0);
}

TEST_F(Init, SaysWhichTimeZoneItTook) {
  auto arguments = options();
  const auto zone = std::find(arguments.begin(), arguments.end(), "--time-zone");
  arguments.erase(zone, zone + 2);
  auto program = bridge_program(arguments, {"TZDIR=/usr/share/zoneinfo"});
  const auto ran = run(program);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("the time zone of this machine (--time-zone sets another)\n"));
  const auto again = init(options({"--force"}));
  EXPECT_EQ(again.status, 0) << "it replaces the file: " << again.err;
  EXPECT_THAT(again.out, Not(HasSubstr("of this machine")));
  EXPECT_EQ(files_in(folder_.path()), 1);
}

TEST_F(Init, ReplacesTheFileOfThePackageUntilSomebodyHasChangedIt) {
  const std::string shipped =
      support::read_file(support::source_dir() + "/packaging/surveybridge.toml");
  folder_.write("bridge.toml", shipped + "\n");
  const auto refused = init(options());
  EXPECT_EQ(refused.status, 2) << "a byte more";
  EXPECT_THAT(refused.err, HasSubstr(file() + ": is there already; --force replaces it"));
  EXPECT_EQ(support::read_file(file()), shipped + "\n");
  folder_.write("bridge.toml", replaced(shipped, "Email = \"email\"", "Email = \"mail\""));
  EXPECT_EQ(init(options()).status, 2);
  folder_.write("bridge.toml", shipped);
  EXPECT_EQ(init(options()).status, 0);
  EXPECT_THAT(support::read_file(file()), HasSubstr("order_no"));
  EXPECT_EQ(files_in(folder_.path()), 1);
}

TEST_F(Init, RefusesAPasswordOnTheCommandLine) {
  auto arguments = options();
  *std::find(arguments.begin(), arguments.end(), crm_.connection()) =
      "postgresql://user=bridge password=" + std::string(kPassword);
  const auto ran = init(arguments);
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("init: --connection: holds a password"));
}

TEST_F(Init, ReachesThePreviewByAnswersOnATerminal) {
  support::Terminal terminal(bridge_program({"init", "-c", file(), "--time-zone", "UTC"}));
  ASSERT_NO_FATAL_FAILURE(
      converse(terminal, {{"survey service (https://…): ", sandbox_.url()},
                          {"[bearer]: ", ""},
                          {"token (not shown", kToken},
                          {"CRM's database: ", crm_.connection()},
                          {"a query (it ends with", std::string(kDemoQuery) + ";"}}));
  ASSERT_NO_FATAL_FAILURE(accept_columns(terminal));
  EXPECT_EQ(terminal.wait(), 0) << terminal.shown();
  expect_ready(terminal.shown());
  EXPECT_THAT(terminal.shown(), Not(HasSubstr(kToken))) << "a secret is not shown";
  EXPECT_EQ(support::read_file(folder_.path() + "/bridge.token"), std::string(kToken) + "\n");
  EXPECT_EQ(mode_of_file(folder_.path() + "/bridge.token"), 0600u);
}

TEST_F(Init, AsksForTheTimeZoneOfTheCrm) {
  support::Terminal terminal(
      bridge_program({"init", "-c", file(), "--base-url", sandbox_.url(), "--auth", "bearer",
                      "--token", "env:BRIDGE_TOKEN", "--query", kDemoQuery}));
  ASSERT_NO_FATAL_FAILURE(converse(terminal, {{"time zone of the CRM's clock [", "Europe/Amsterdm"},
                                              {"did you mean", "Europe/Amsterdam"},
                                              {"CRM's database: ", crm_.connection()}}));
  ASSERT_NO_FATAL_FAILURE(accept_columns(terminal));
  EXPECT_EQ(terminal.wait(), 0) << terminal.shown();
  EXPECT_THAT(support::read_file(file()), HasSubstr("time_zone = \"Europe/Amsterdam\""));
}

TEST_P(InitOn, ShowsTheTablesBeforeItAsksForOne) {
  crm_.execute("CREATE VIEW delivered AS SELECT * FROM orders");
  bridge({"forget", "--unknown", "nobody@example.test", "-c",
          folder_.write("tables.toml", configuration(crm_.connection(), sandbox_.url()))});
  ASSERT_NE(tables_of_the_bridge(crm_, server_), "0");
  crm_.execute("CREATE VIEW survey_report_customer AS SELECT * FROM orders");
  crm_.execute("CREATE TABLE survey_of_ours (id INTEGER)");
  support::Terminal terminal(
      bridge_program({"init", "-c", file(), "--time-zone", "UTC", "--base-url", sandbox_.url(),
                      "--auth", "bearer", "--token", "env:BRIDGE_TOKEN"}));
  ASSERT_TRUE(terminal.wait_for("CRM's database: ")) << terminal.shown();
  terminal.type_line(crm_.connection());
  EXPECT_TRUE(terminal.wait_for("  its tables and views: delivered, orders, survey_of_ours\r\n"))
      << terminal.shown();
  ASSERT_TRUE(terminal.wait_for("a query (it ends with")) << terminal.shown();
  terminal.type("\x04");
  EXPECT_EQ(terminal.wait(), 2);
  EXPECT_THAT(terminal.shown(), HasSubstr("init: the input ended at the question"));
  EXPECT_EQ(files_in(folder_.path()), 1) << "the one that made the tables";
}

TEST_F(Init, ShowsFortyTablesOfMany) {
  for (int i = 100; i < 150; ++i)
    crm_.execute("CREATE TABLE a" + std::to_string(i) + " (id INTEGER)");
  support::Terminal terminal(bridge_program(
      {"init", "-c", file(), "--time-zone", "UTC", "--base-url", sandbox_.url(), "--auth", "bearer",
       "--token", "env:BRIDGE_TOKEN", "--connection", crm_.connection()}));
  EXPECT_TRUE(terminal.wait_for("orders, a100, a101, "))
      << "what looks like transactions is first\n"
      << terminal.shown();
  EXPECT_TRUE(terminal.wait_for("a137, a138, …")) << terminal.shown();
}

TEST_F(Init, PutsAPasswordIntoTheBracesOfAnOdbcText) {
  Crm crm(Server::odbc);
  make_demo_orders(crm, Server::odbc);
  support::Terminal terminal(
      bridge_program({"init", "-c", file(), "--base-url", sandbox_.url(), "--auth", "bearer",
                      "--token", "env:BRIDGE_TOKEN", "--query", kDemoQuery, "--time-zone", "UTC"}));
  ASSERT_TRUE(terminal.wait_for("CRM's database: ")) << terminal.shown();
  terminal.type_line(crm.connection() + "PWD=***");
  ASSERT_TRUE(terminal.wait_for("password (not shown): ")) << terminal.shown();
  terminal.type_line("a;Database=none;}b");
  ASSERT_NO_FATAL_FAILURE(accept_columns(terminal)) << "the server asks for no password";
  EXPECT_EQ(terminal.wait(), 0) << terminal.shown();
  EXPECT_THAT(support::read_file(folder_.path() + "/bridge.crm-connection"),
              HasSubstr("PWD={a;Database=none;}}b}"));
}

TEST_F(Init, AsksAgainAfterAnAnswerThatDoesNotWork) {
  support::Terminal terminal(bridge_program({"init", "-c", file(), "--time-zone", "UTC"}));
  ASSERT_NO_FATAL_FAILURE(converse(
      terminal, {{"(https://…): ", "surveys"},
                 {"must begin with \"https://\"", "http://127.0.0.1:1"},
                 {"unavailable: ", sandbox_.url()},
                 {"[bearer]: ", "bearer"},
                 {"token (not shown", "wrong"},
                 {"[bearer]: ", ""},
                 {"token (not shown", "wrong too"},
                 {"[bearer]: ", ""},
                 {"token (not shown", "env:BRIDGE_TOKEN"},
                 {"CRM's database: ", "sqlite3:///no/such.db"},
                 {"there is no file \"/no/such.db\"", crm_.connection()},
                 {"ends with", "oders"},
                 {"no such table: oders (did you mean \"orders\"?)", std::string(kDemoQuery) + ";"},
                 {"nothing older is ever sent [", "yesterday"},
                 {"must be a date such as 2026-11-01", ""},
                 {"[delivered_at]: ", "remark_at"},
                 {"the query has no column \"remark_at\"", ""},
                 {"[order_no]: ", "orderno"},
                 {"the query has no column \"orderno\" (did you mean \"order_no\"?)", ""},
                 {"[email]: ", ""}}));
  EXPECT_EQ(terminal.wait(), 0) << terminal.shown();
  EXPECT_EQ(files_in(folder_.path()), 1) << "the token is in the environment";
  EXPECT_THAT(terminal.shown(), Not(HasSubstr("wrong too"))) << "a secret is not shown";
}

// What is refused there may be the address as well as the secret.
TEST_F(Init, AsksForTheAddressOfTheTokensAgainWhereItGivesNone) {
  support::Terminal terminal(
      bridge_program({"init", "-c", file(), "--base-url", sandbox_.url(), "--time-zone", "UTC"}));
  ASSERT_NO_FATAL_FAILURE(
      converse(terminal, {{"[bearer]: ", "oauth2"},
                          {"gives tokens (https://…): ", sandbox_.url() + "/oauth2/tokens"},
                          {"Client's id: ", "sandbox"},
                          {"(not shown", "sandbox-secret"},
                          {"[oauth2]: ", ""},
                          {"/oauth2/tokens]: ", sandbox_.url() + "/oauth2/token"},
                          {"[sandbox]: ", ""},
                          {"(not shown", "sandbox-secret"},
                          {"CRM's database: ", crm_.connection()}}));
  EXPECT_THAT(
      terminal.shown(),
      HasSubstr(
          "it does not know client_id with this client_secret (and scope), or token_url is wrong"));
}

TEST_F(Init, TurnsTheEchoOnAgainAfterAnInterrupt) {
  support::Terminal terminal(bridge_program({"init", "-c", file(), "--base-url", sandbox_.url()}));
  ASSERT_TRUE(terminal.wait_for("[bearer]: "));
  EXPECT_TRUE(terminal.echoes());
  terminal.type_line("");
  ASSERT_TRUE(terminal.wait_for("token (not shown"));
  EXPECT_FALSE(terminal.echoes());
  terminal.type("\x03");
  EXPECT_EQ(terminal.wait(), 2) << terminal.shown();
  EXPECT_TRUE(terminal.echoes());
}

TEST_F(Init, KeepsAPasswordOfTheDatabaseInAFileOfItsOwn) {
  auto& server = support::PostgresServer::shared();
  Crm crm(Server::postgresql);
  make_demo_orders(crm, Server::postgresql);
  const std::string with_stars =
      replaced(crm.connection(), "user=bridge", "user=locked password=***");
  server.sql(crm.connection().substr(crm.connection().find("dbname=") + 7),
             "GRANT ALL ON ALL TABLES IN SCHEMA public TO locked; "
             "GRANT CREATE ON SCHEMA public TO locked");
  support::Terminal terminal(
      bridge_program({"init", "-c", file(), "--base-url", sandbox_.url(), "--auth", "bearer",
                      "--token", "env:BRIDGE_TOKEN", "--query", kDemoQuery, "--time-zone", "UTC"}));
  ASSERT_TRUE(terminal.wait_for("CRM's database: ")) << terminal.shown();
  terminal.type_line(with_stars);
  ASSERT_TRUE(terminal.wait_for("password (not shown): ")) << terminal.shown();
  terminal.type_line("mistyped");
  ASSERT_TRUE(terminal.wait_for("password authentication failed")) << terminal.shown();
  ASSERT_TRUE(terminal.wait_for("then [" + with_stars + "]: ")) << terminal.shown();
  terminal.type_line("");
  ASSERT_TRUE(terminal.wait_for("password (not shown): ")) << terminal.shown();
  terminal.type_line(kPassword);
  ASSERT_NO_FATAL_FAILURE(accept_columns(terminal));
  EXPECT_EQ(terminal.wait(), 0) << terminal.shown();
  EXPECT_THAT(terminal.shown() + support::read_file(file()),
              AllOf(Not(HasSubstr(kPassword)), Not(HasSubstr("mistyped"))));
  const std::string secret = folder_.path() + "/bridge.crm-connection";
  EXPECT_THAT(support::read_file(secret), HasSubstr(kPassword));
  EXPECT_EQ(mode_of_file(secret), 0600u);
}

}  // namespace
}  // namespace program
