// `surveybridge init` by options: from nothing to the preview of the first batch, and every problem
// at once.
#include <algorithm>

#include "tests/program/init_world.hpp"
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

TEST_F(Init, NamesTheDataColumnsThatItLeavesOut) {
  EXPECT_EQ(init(options({"--map", "FirstName="})).status, 0);
  EXPECT_THAT(support::read_file(file()), HasSubstr("\n# FirstName = \"COLUMN\" "));
}

TEST_F(Init, NamesTheColumnsOfTheQueryThatNothingUses) {
  ASSERT_EQ(init(options({"--map", "FirstName="})).status, 0);
  const std::string text = support::read_file(file());
  EXPECT_THAT(text, HasSubstr("\n# FIELD = \"first_name\"  "));
  for (const char* used : {"order_no", "email", "delivered_at", "last_name"})
    EXPECT_THAT(text, Not(HasSubstr("# FIELD = \"" + std::string(used) + "\"")));
}

TEST_F(Init, SaysWhichTimeZoneItTook) {
  auto arguments = options();
  const auto zone = std::find(arguments.begin(), arguments.end(), "--time-zone");
  arguments.erase(zone, zone + 2);
  auto program = bridge_program(arguments, {"TZDIR=/usr/share/zoneinfo"});
  const auto ran = run(program);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("the time zone of this machine (--time-zone sets another)\n"));
  EXPECT_THAT(init(options({"--force"})).out, Not(HasSubstr("of this machine")));
}

TEST_F(Init, ReplacesAFileOnlyWithForce) {
  folder_.write("bridge.toml", "# mine\n");
  const auto refused = init(options());
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr(file() + ": is there already; --force replaces it"));
  EXPECT_EQ(support::read_file(file()), "# mine\n");
  EXPECT_EQ(init(options({"--force"})).status, 0);
  EXPECT_EQ(files_in(folder_.path()), 1);
}

TEST_F(Init, ReplacesTheFileOfThePackageUntilSomebodyHasChangedIt) {
  const std::string shipped =
      support::read_file(support::source_dir() + "/packaging/surveybridge.toml");
  folder_.write("bridge.toml", shipped + "\n");
  EXPECT_EQ(init(options()).status, 2) << "a byte more";
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

TEST_F(Init, TakesHostileNamesAsTheyAre) {
  const std::string hostile = "\"; DROP TABLE orders; --";
  crm_.execute(
      "CREATE VIEW hostile AS SELECT order_no, email, last_name, delivered_at, first_name AS "
      "\"\"\"; DROP TABLE orders; --\" FROM orders WHERE order_no NOT LIKE 'P-ODD%'");
  const std::string orders = crm_.cell("SELECT count(*) FROM orders");
  const auto ran = init({"init", "-c", file(), "--base-url", sandbox_.url(), "--token",
                         "env:BRIDGE_TOKEN", "--connection", crm_.connection(), "--query",
                         "hostile", "--map", "FirstName=" + hostile, "--time-zone", "UTC"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("{\"CustomerDataColumnId\":12,\"Value\":"));
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM orders"), orders);
}

}  // namespace
}  // namespace program
