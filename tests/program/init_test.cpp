// `surveybridge init`: from nothing to the preview of the first batch, by options and by answers on
// a terminal.
#include <filesystem>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "config/sections/load.hpp"
#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/private_words.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/terminal.hpp"

namespace program {
namespace {

namespace fs = std::filesystem;
namespace config = surveybridge::config;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// The columns of the demo's orders (demo/crm.sql), and of its service (scripts/demo).
const std::vector<std::string> kDemoService = {
    "--column",     "11:OrderNumber!", "--column",    "12:FirstName", "--column",
    "13:LastName!", "--column",        "14:Language", "--column",     "15:Amount"};

// The demo's orders, in any database.
void make_demo_orders(Crm& crm, Server server) {
  const support::TemporaryFolder folder;
  const std::string made = folder.path() + "/demo.db";
  const auto ran = support::run(
      {{"sqlite3", "-bail", made, ".cd " + support::source_dir() + "/demo", ".read crm.sql"}, {}});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto demo = surveybridge::crm::open_database("sqlite3://" + made);
  const auto rows = demo->query(
      {"SELECT id, order_no, email, first_name, last_name, country, language, delivered_at, amount,"
       " remark, grade, state FROM orders",
       {}});
  crm.execute("DROP TABLE orders");
  crm.execute(std::string("CREATE TABLE orders (id INTEGER PRIMARY KEY, order_no VARCHAR(20) NOT "
                          "NULL UNIQUE, email TEXT, first_name TEXT, last_name TEXT, country TEXT,"
                          " language TEXT, delivered_at ") +
              (server == Server::mariadb ? "DATETIME(6)" : "TIMESTAMP") +
              ", amount TEXT, remark TEXT, grade TEXT, state VARCHAR(20) NOT NULL)");
  surveybridge::crm::Transaction transaction(crm.database());
  crm.database().execute_each(
      "INSERT INTO orders VALUES (:p1, :p2, :p3, :p4, :p5, :p6, :p7, :p8, :p9, :p10, :p11, :p12)",
      rows.rows);
  transaction.commit();
}

std::string tables_of_the_bridge(Crm& crm, Server server) {
  return crm.cell(server == Server::sqlite
                      ? "SELECT count(*) FROM sqlite_master WHERE name LIKE 'survey%'"
                      : "SELECT count(*) FROM information_schema.tables WHERE table_name LIKE "
                        "'survey%' AND table_schema NOT LIKE 'pg_%'");
}

std::ptrdiff_t files_in(const std::string& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

mode_t mode_of_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777u : 0;
}

// What a person waits for, and then types.
using Conversation = std::vector<std::pair<std::string, std::string>>;

void converse(support::Terminal& terminal, const Conversation& lines) {
  for (const auto& [question, text] : lines) {
    ASSERT_TRUE(terminal.wait_for(question)) << question << ":\n" << terminal.shown();
    terminal.type_line(text);
  }
}

// Without the orders that cannot become customers.
constexpr const char* kDemoQuery =
    "SELECT * FROM orders WHERE state = 'delivered' AND order_no NOT LIKE 'P-ODD%'";

class Init : public testing::Test {
 protected:
  explicit Init(Server server = Server::sqlite) : server_(server), crm_(server) {
    make_demo_orders(crm_, server);
  }

  std::string file() const { return folder_.path() + "/bridge.toml"; }
  Arguments options(const Arguments& more = {}) const {
    Arguments all{"init",
                  "-c",
                  file(),
                  "--base-url",
                  sandbox_.url(),
                  "--token",
                  "env:BRIDGE_TOKEN",
                  "--connection",
                  crm_.connection(),
                  "--time-zone",
                  "UTC",
                  "--query",
                  kDemoQuery};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  // Its result may show a batch; what it says besides has no private word.
  static support::Finished init(const Arguments& arguments) {
    auto ran = run(bridge_program(arguments));
    expect_no_private_words(ran.err);
    EXPECT_THAT(ran.out + ran.err, Not(HasSubstr(kToken)));
    return ran;
  }
  void expect_ready(const std::string& said) {
    EXPECT_THAT(said, HasSubstr(file() + ": ok"));
    // Of five rows: an address that has two of them waits for a later batch with one.
    EXPECT_THAT(said, testing::ContainsRegex("push.orders: [1-5] customers in the next batch"));
    EXPECT_THAT(said, HasSubstr("POST /external/api/v3/customer/add"));
    EXPECT_THAT(said, HasSubstr("surveybridge release orders -c " + file()));
    EXPECT_THAT(sandbox_.customers(), IsEmpty());
    EXPECT_EQ(tables_of_the_bridge(crm_, server_), "0");
    const auto loaded = config::load(file());
    ASSERT_TRUE(std::holds_alternative<config::Settings>(loaded));
    const auto& push = std::get<config::Settings>(loaded).pushes.at(0);
    EXPECT_EQ(push.key + " " + push.when + " " + push.correlate,
              "order_no delivered_at OrderNumber");
    EXPECT_EQ(push.data.size(), 5u);
    EXPECT_THAT(support::read_file(file()), Not(HasSubstr(kToken)));
    EXPECT_EQ(mode_of_file(file()), 0640u);
  }

  Server server_;
  Crm crm_;
  SandboxProgram sandbox_{kDemoService};
  support::TemporaryFolder folder_;
};

class InitOn : public Init, public testing::WithParamInterface<Server> {
 protected:
  InitOn() : Init(GetParam()) {}
};

TEST_P(InitOn, ReachesThePreviewByOptions) {
  const auto ran = init(options());
  EXPECT_EQ(ran.status, 0) << ran.err;
  expect_ready(ran.out);
}

TEST_P(InitOn, ReachesThePreviewByAnswersOnATerminal) {
  support::Terminal terminal(bridge_program({"init", "-c", file(), "--time-zone", "UTC"}));
  ASSERT_NO_FATAL_FAILURE(
      converse(terminal, {{"survey service (https://…): ", sandbox_.url()},
                          {"[bearer]: ", ""},
                          {"token (not shown", kToken},
                          {"CRM's database: ", crm_.connection()},
                          {"a query (it ends with", std::string(kDemoQuery) + ";"},
                          {"[yes]: ", ""}}));
  EXPECT_EQ(terminal.wait(), 0) << terminal.shown();
  expect_ready(terminal.shown());
  EXPECT_THAT(terminal.shown(), Not(HasSubstr(kToken))) << "a secret is not shown";
  EXPECT_EQ(support::read_file(folder_.path() + "/bridge.token"), std::string(kToken) + "\n");
  EXPECT_EQ(mode_of_file(folder_.path() + "/bridge.token"), 0600u);
}

INSTANTIATE_TEST_SUITE_P(Servers, InitOn,
                         testing::Values(Server::sqlite, Server::postgresql, Server::odbc,
                                         Server::mariadb),
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
  EXPECT_THAT(unmapped.err, HasSubstr("init: --map: push.orders.customer.Data: "));
  EXPECT_THAT(unmapped.err, HasSubstr("the service has no data column \"Product\""));
  EXPECT_THAT(unmapped.err,
              HasSubstr("init: --key: push.orders.key: the query has no column \"no\""));
  auto misspelt = options();
  misspelt.back() = "SELECT * FROM oders";
  EXPECT_THAT(init(misspelt).err, HasSubstr("init: --query: no such table: oders"));
  EXPECT_EQ(files_in(folder_.path()), 0);
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

TEST_P(InitOn, ShowsTheTablesBeforeItAsksForOne) {
  crm_.execute("CREATE VIEW delivered AS SELECT * FROM orders");
  bridge({"forget", "nobody@example.test", "-c",
          folder_.write("tables.toml", configuration(crm_.connection(), sandbox_.url()))});
  ASSERT_NE(tables_of_the_bridge(crm_, server_), "0");
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
}

TEST_F(Init, ShowsFortyTablesOfMany) {
  for (int i = 100; i < 150; ++i)
    crm_.execute("CREATE TABLE a" + std::to_string(i) + " (id INTEGER)");
  support::Terminal terminal(bridge_program(
      {"init", "-c", file(), "--time-zone", "UTC", "--base-url", sandbox_.url(), "--auth", "bearer",
       "--token", "env:BRIDGE_TOKEN", "--connection", crm_.connection()}));
  EXPECT_TRUE(terminal.wait_for("a138, a139, …")) << terminal.shown();
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

TEST_F(Init, AsksAgainAfterAnAnswerThatDoesNotWork) {
  support::Terminal terminal(bridge_program({"init", "-c", file(), "--time-zone", "UTC"}));
  ASSERT_NO_FATAL_FAILURE(
      converse(terminal, {{"(https://…): ", "surveys"},
                          {"must begin with \"https://\"", "http://127.0.0.1:1"},
                          {"unavailable: ", sandbox_.url()},
                          {"[bearer]: ", "bearer"},
                          {"token (not shown", "wrong"},
                          {"not authorized", ""},
                          {"token (not shown", "env:BRIDGE_TOKEN"},
                          {"CRM's database: ", "sqlite3:///no/such.db"},
                          {"there is no file \"/no/such.db\"", crm_.connection()},
                          {"ends with", "oders"},
                          {"no such table: oders", std::string(kDemoQuery) + ";"},
                          {"[yes]: ", "LastName ="},
                          {"[yes]: ", "yes"},
                          {"required by the service", "last name = nothing"},
                          {"[yes]: ", "LastName = lastname"},
                          {"the query has no column \"lastname\" (did you mean \"last_name\"?)",
                           "LastName = last_name"},
                          {"[yes]: ", ""}}));
  EXPECT_EQ(terminal.wait(), 0) << terminal.shown();
  EXPECT_EQ(files_in(folder_.path()), 1) << "the token is in the environment";
}

TEST_F(Init, LeavesNothingWhereTheInputEnds) {
  support::Terminal terminal(bridge_program({"init", "-c", file()}));
  ASSERT_TRUE(terminal.wait_for("(https://…): "));
  terminal.type_line(sandbox_.url());
  ASSERT_TRUE(terminal.wait_for("[bearer]: "));
  terminal.type("\x04");
  EXPECT_EQ(terminal.wait(), 2);
  EXPECT_THAT(terminal.shown(), HasSubstr("init: the input ended at the question"));
  EXPECT_EQ(files_in(folder_.path()), 0);
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
  terminal.type_line(kPassword);
  ASSERT_TRUE(terminal.wait_for("[yes]: ")) << terminal.shown();
  terminal.type_line("");
  EXPECT_EQ(terminal.wait(), 0) << terminal.shown();
  EXPECT_THAT(terminal.shown() + support::read_file(file()), Not(HasSubstr(kPassword)));
  const std::string secret = folder_.path() + "/bridge.crm-connection";
  EXPECT_THAT(support::read_file(secret), HasSubstr(kPassword));
  EXPECT_EQ(mode_of_file(secret), 0600u);
}

}  // namespace
}  // namespace program
