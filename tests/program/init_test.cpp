// `surveybridge init`: from nothing to the preview of the first batch, by options (every problem of
// theirs: transcripts/init.txt) and by answers on a terminal: what is asked, asked again and not
// shown. And --template on a small database with the tables of each system that it knows: from the
// template to customers at the service, value by value, and to their status in the field that the
// system has for it. The rows that must not go out are there, too (templates/NAME.sql).
#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include <date/date.h>
#include <sys/stat.h>

#include "config/sections/load.hpp"
#include "tests/program/world.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/terminal.hpp"

namespace program {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::UnorderedElementsAreArray;
using Columns = std::vector<std::string>;

// Without the orders that cannot become customers.
constexpr const char* kDemoQuery =
    "SELECT * FROM orders WHERE state = 'delivered' AND order_no NOT LIKE 'P-ODD%'";

// How many there are, as text.
std::string tables_of_the_bridge(Crm& crm, Server server) {
  if (server == Server::sqlite)
    return crm.cell("SELECT count(*) FROM sqlite_master WHERE name LIKE 'survey%'");
  // MariaDB shows the tables of every database of the server.
  return crm.cell(
      std::string("SELECT count(*) FROM information_schema.tables WHERE table_name LIKE 'survey%'"
                  " AND table_schema ") +
      (speaks_mysql(server) ? "= DATABASE()" : "NOT LIKE 'pg_%'"));
}

mode_t mode_of_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777u : 0;
}

// What a person waits for, and then types.
using Conversation = std::vector<std::pair<std::string, std::string>>;

// Enter at each question about the columns of kDemoQuery.
const Conversation kAcceptColumns = {
    {"is ever sent [", ""}, {"[delivered_at]: ", ""}, {"[order_no]: ", ""}, {"[email]: ", ""}};

// Enter: where the bridge's own tables are.
const Conversation::value_type kAcceptStore = {"own tables are: crm, ", ""};

void converse(support::Terminal& terminal, const Conversation& lines) {
  for (const auto& [question, text] : lines) {
    ASSERT_TRUE(terminal.wait_for(question)) << question << ":\n" << terminal.shown();
    terminal.type_line(text);
  }
}

// A shop as the demo has it, a service with the columns of the demo's (scripts/demo), but for
// Branch, and an empty folder.
struct Init : testing::Test, BridgeOn {
  explicit Init(Server server = Server::sqlite)
      : BridgeOn(server, {"--speed", "0", "--column", "11:OrderNumber!", "--column", "12:FirstName",
                          "--column", "13:LastName!", "--column", "14:Language", "--column",
                          "15:Amount", "--column", "16:Retired~"}),
        server_(server) {}
  std::string file() const { return empty_.path() + "/bridge.toml"; }
  std::string made() const { return support::read_file(file()); }
  std::ptrdiff_t files() const {
    return std::distance(std::filesystem::directory_iterator(empty_.path()),
                         std::filesystem::directory_iterator());
  }
  // To the service with its token, with these words behind.
  Arguments to_service(const Arguments& more = {}) const {
    Arguments all{"init",   "-c",     file(),    "--base-url",      sandbox_.url(),
                  "--auth", "bearer", "--token", "env:BRIDGE_TOKEN"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  // The query is the last one, and `more` behind it.
  Arguments options(const std::string& query = kDemoQuery, const Arguments& more = {}) const {
    Arguments all =
        to_service({"--connection", crm_.connection(), "--time-zone", "UTC", "--query", query});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  support::Finished init(const Arguments& words, int status, const Said& out = testing::_,
                         const Said& err = testing::_) {
    return program::expect(words, status, out, err);
  }
  void expect_ready(const std::string& said);

  Server server_;
  support::TemporaryFolder empty_;
};

void Init::expect_ready(const std::string& said) {
  EXPECT_THAT(said, has(file() + ": ok", "POST /external/api/v3/customer/add",
                        "surveybridge release orders -c " + file(),
                        "[suppress] is still a comment in the file"));
  // Of five rows: an address that has two of them waits for a later batch with one.
  EXPECT_THAT(said, ContainsRegex("push.orders: [1-5] customers in the next batch"));
  EXPECT_THAT(sandbox_.customers(), testing::IsEmpty());
  EXPECT_EQ(tables_of_the_bridge(crm_, server_), "0");
  const auto loaded = surveybridge::config::load(file());
  ASSERT_TRUE(std::holds_alternative<surveybridge::config::Settings>(loaded));
  const auto& push = std::get<surveybridge::config::Settings>(loaded).pushes.at(0);
  EXPECT_EQ(push.key + " " + push.when + " " + push.correlate, "order_no delivered_at OrderNumber");
  EXPECT_EQ(push.data.size(), 5u);
  EXPECT_THAT(made(), lacks(kToken));
  EXPECT_EQ(mode_of_file(file()), 0640u);
}

struct InitOn : Init, testing::WithParamInterface<Server> {
  InitOn() : Init(GetParam()) { make_demo_orders(crm_, GetParam()); }
};

TEST_P(InitOn, ReachesThePreviewAndKnowsTheTablesOfTheDatabase) {
  expect_ready(init(options(), 0).out);
  // As a person types it, whatever the database wants around it.
  const std::string quote = speaks_mysql(server_) ? "`" : "\"";
  crm_.execute("CREATE VIEW " + quote + "Sales Orders" + quote + " AS " + kDemoQuery);
  expect_ready(init(options("Sales Orders", {"--force"}), 0).out);
  // The primary key is proposed where no word fits a name.
  crm_.execute(std::string("CREATE TABLE facts (rowno INTEGER PRIMARY KEY, email TEXT, last_name"
                           " TEXT, delivered_at ") +
               (speaks_mysql(server_) ? "DATETIME(6))" : "TIMESTAMP)"));
  crm_.execute(
      "CREATE TABLE pairs (a INTEGER, b INTEGER, email TEXT, last_name TEXT,"
      " delivered_at TIMESTAMP, PRIMARY KEY (a, b))");
  init(options("facts", {"--force"}), 0);
  EXPECT_THAT(made(), has("\nkey = \"rowno\"  "));
  EXPECT_THAT(bridge(options("pairs", {"--force"})).err, has("init: --key: is required: "));
  // A word of SQL, as it is listed and in quotes.
  const std::string word = quote + "order" + quote;
  crm_.execute("CREATE TABLE " + word +
               " (rowno INTEGER PRIMARY KEY, email TEXT, last_name TEXT, delivered_at " +
               (speaks_mysql(server_) ? "DATETIME(6))" : "TIMESTAMP)"));
  for (const std::string& name : {std::string("order"), word}) {
    init(options(name, {"--force"}), 0);
    EXPECT_THAT(made(), has("\nkey = \"rowno\"  ")) << name;
  }

  const std::string last = made();
  crm_.execute("DROP VIEW " + quote + "Sales Orders" + quote);
  for (const std::string& table : {std::string("facts"), std::string("pairs"), word})
    crm_.execute("DROP TABLE " + table);
  crm_.execute("CREATE VIEW delivered AS SELECT * FROM orders");
  command({"forget", "--unknown", "nobody@example.test"});
  ASSERT_NE(tables_of_the_bridge(crm_, server_), "0");
  crm_.execute("CREATE VIEW survey_report_customer AS SELECT * FROM orders");
  crm_.execute("CREATE TABLE survey_of_ours (id INTEGER)");
  support::Terminal terminal(bridge_program(to_service({"--time-zone", "UTC", "--force"})));
  ASSERT_NO_FATAL_FAILURE(
      converse(terminal, {{"CRM's database: ", crm_.connection()}, kAcceptStore}));
  EXPECT_TRUE(terminal.wait_for("  its tables and views: delivered, orders, survey_of_ours\r\n"))
      << terminal.shown();
  ASSERT_TRUE(terminal.wait_for("a query (it ends with")) << terminal.shown();
  terminal.type("\x04");
  EXPECT_EQ(terminal.wait(), 2);
  EXPECT_THAT(terminal.shown(), has("init: the input ended at the question"));
  EXPECT_EQ(made(), last);
}

INSTANTIATE_TEST_SUITE_P(Servers, InitOn,
                         testing::Values(Server::sqlite, Server::postgresql, Server::odbc,
                                         Server::mariadb, Server::mysql),
                         server_name);

struct InitOfADemo : Init {
  InitOfADemo() { make_demo_orders(crm_, Server::sqlite); }
};

// What the administrator types is what is missing.
TEST_F(InitOfADemo, EndsWithWhatIsWrongWhereTheRoleMayMakeNoTables) {
  auto& server = support::PostgresServer::shared();
  Crm other(Server::postgresql);
  server.sql("postgres", "DROP ROLE IF EXISTS maker");
  server.sql("postgres", "CREATE ROLE maker LOGIN");
  make_demo_orders(other, Server::postgresql);
  other.execute("GRANT SELECT ON orders TO maker");
  auto as_maker = options(kDemoQuery, {"--force", "--store", "crm"});
  *std::ranges::find(as_maker, crm_.connection()) =
      replaced(other.connection(), "user=bridge", "user=maker");
  const auto refused = init(as_maker, 78, lacks("surveybridge run"));
  const auto verdict = refused.out.find("\nNot ready: ");
  ASSERT_NE(verdict, std::string::npos) << refused.out << refused.err;
  const std::string grant = "GRANT CREATE, USAGE ON SCHEMA public TO maker";
  EXPECT_THAT(refused.out.substr(verdict), has("the bridge's tables cannot be created: ",
                                               grant + "\n", "surveybridge check -c " + file()));
  // Otherwise a store is proposed, and without a terminal a proposal is an answer.
  auto with_store = as_maker;
  with_store.resize(with_store.size() - 2);
  const std::string store = "sqlite3://" + empty_.path() + "/bridge.store.db";
  init(with_store, 0,
       has("the CRM's database: the bridge's tables cannot be created: ", grant + "\n",
           "the bridge's own tables will be in " + store + " (--store sets another place)\n",
           "surveybridge run"));
  EXPECT_THAT(made(), has("\n[store]  ", "\nconnection = \"" + store + "\"\n"));
  // Who has named the place reads nothing of the other one.
  as_maker.back() = store;
  init(as_maker, 0, lacks("cannot be created"), lacks("cannot be created"));
  as_maker.back() = "crm";
  other.execute(grant);
  init(as_maker, 0, AllOf(has("surveybridge run"), lacks("Not ready")));
  other.execute("DROP OWNED BY maker");
  server.sql("postgres", "DROP ROLE maker");
}

// Also: a CRM's own program may count on the journal mode of its file.
TEST_F(InitOfADemo, SaysWhichTimeZoneItTookAndLeavesAFileOfSqliteAsItIs) {
  EXPECT_EQ(crm_.cell("PRAGMA journal_mode = DELETE"), "delete");
  const std::string path = crm_.connection().substr(std::string_view("sqlite3://").size());
  const std::string before = support::read_file(path);
  auto arguments = options();
  const auto zone = std::ranges::find(arguments, "--time-zone");
  arguments.erase(zone, zone + 2);
  const auto ran = run(bridge_program(arguments, {"TZDIR=/usr/share/zoneinfo"}));
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, has("the time zone of this machine (--time-zone sets another)\n"));
  init(options(kDemoQuery, {"--force"}), 0, lacks("of this machine"));
  EXPECT_EQ(files(), 1) << "it replaces the file";
  EXPECT_TRUE(support::read_file(path) == before);
}

TEST_F(InitOfADemo, ReplacesTheFileOfThePackageUntilSomebodyHasChangedIt) {
  const std::string shipped =
      support::read_file(support::source_dir() + "/packaging/surveybridge.toml");
  empty_.write("bridge.toml", shipped + "\n");
  init(options(), 2, testing::_, has(file() + ": is there already; --force replaces it"));
  EXPECT_EQ(made(), shipped + "\n") << "a byte more";
  empty_.write("bridge.toml", replaced(shipped, "Email = \"email\"", "Email = \"mail\""));
  init(options(), 2);
  empty_.write("bridge.toml", shipped);
  init(options(), 0);
  EXPECT_THAT(made(), has("order_no"));
  EXPECT_EQ(files(), 1);
}

TEST_F(InitOfADemo, ReachesThePreviewByAnswersOnATerminal) {
  support::Terminal terminal(bridge_program({"init", "-c", file(), "--time-zone", "UTC"}));
  ASSERT_NO_FATAL_FAILURE(
      converse(terminal, {{"survey service (https://…): ", sandbox_.url()},
                          {"[bearer]: ", ""},
                          {"token (not shown", kToken},
                          {"CRM's database: ", crm_.connection()},
                          kAcceptStore,
                          {"a query (it ends with", std::string(kDemoQuery) + ";"}}));
  ASSERT_NO_FATAL_FAILURE(converse(terminal, kAcceptColumns));
  EXPECT_EQ(terminal.wait(), 0) << terminal.shown();
  expect_ready(terminal.shown());
  EXPECT_THAT(terminal.shown(), lacks(kToken)) << "a secret is not shown";
  const std::string token = empty_.path() + "/bridge.token";
  EXPECT_EQ(support::read_file(token), std::string(kToken) + "\n");
  EXPECT_EQ(mode_of_file(token), 0600u);
}

// The secrets are written before the configuration.
TEST_F(InitOfADemo, TakesUpTheSecretsOfACallThatWasKilled) {
  empty_.write("bridge.token", std::string(kToken) + "\n");
  empty_.write("bridge.crm-connection", crm_.connection() + "\n");
  for (const char* secret : {"bridge.token", "bridge.crm-connection"})
    std::filesystem::permissions(empty_.path() + "/" + secret, std::filesystem::perms(0600));
  empty_.write("bridge.toml.new", "[serv");
  init({"init", "-c", file(), "--base-url", sandbox_.url(), "--time-zone", "UTC", "--query",
        kDemoQuery},
       0);
  EXPECT_THAT(made(), has("token = { file = \"" + empty_.path() + "/bridge.token\" }",
                          "connection = { file = \"" + empty_.path() + "/bridge.crm-connection"));
  EXPECT_EQ(files(), 3);
}

TEST_F(InitOfADemo, ShowsFortyTablesOfMany) {
  for (int i = 100; i < 150; ++i)
    crm_.execute("CREATE TABLE a" + std::to_string(i) + " (id INTEGER)");
  support::Terminal terminal(
      bridge_program(to_service({"--time-zone", "UTC", "--connection", crm_.connection()})));
  ASSERT_NO_FATAL_FAILURE(converse(terminal, {kAcceptStore}));
  EXPECT_TRUE(terminal.wait_for("orders, a100, a101, "))
      << "what looks like transactions is first\n"
      << terminal.shown();
  EXPECT_TRUE(terminal.wait_for("a137, a138, …")) << terminal.shown();
}

TEST_F(InitOfADemo, AsksAgainAfterAnAnswerThatDoesNotWork) {
  support::Terminal terminal(bridge_program({"init", "-c", file()}));
  ASSERT_NO_FATAL_FAILURE(converse(
      terminal, {{"(https://…): ", "surveys"},
                 {"must begin with \"https://\"", "http://127.0.0.1:1"},
                 {"unavailable: ", sandbox_.url() + "/external"},
                 {"[bearer]: ", "bearer"},
                 {"token (not shown", "wrong"},
                 {"[bearer]: ", ""},
                 {"token (not shown", "wrong too"},
                 {"[bearer]: ", ""},
                 {"token (not shown", "env:BRIDGE_TOKEN"},
                 {"not the service expected: HTTP 404", sandbox_.url()},
                 {"CRM's database: ", "sqlite3:///no/such.db"},
                 {"there is no file \"/no/such.db\"", crm_.connection()},
                 {"own tables are: crm, schema:NAME, or another database [crm]: ",
                  "sqlite3:///no/such/store.db"},
                 {"there is no folder \"/no/such\"", ""},
                 {"time zone of the CRM's clock [", "Europe/Amsterdm"},
                 {"did you mean", "Europe/Amsterdam"},
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
  EXPECT_EQ(files(), 1) << "the token is in the environment";
  EXPECT_THAT(terminal.shown(), lacks("wrong too")) << "a secret is not shown";
  EXPECT_THAT(terminal.shown(), has("it has 5 data columns")) << "of the archived one nothing";
  EXPECT_THAT(made(), has("time_zone = \"Europe/Amsterdam\""));
}

// What is refused there may be the address as well as the secret.
TEST_F(InitOfADemo, AsksForTheAddressOfTheTokensAgainWhereItGivesNone) {
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
  EXPECT_THAT(terminal.shown(),
              has("it does not know client_id with this client_secret (and scope),"
                  " or token_url is wrong"));
}

TEST_F(InitOfADemo, TurnsTheEchoOnAgainAfterAnInterrupt) {
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

TEST_F(InitOfADemo, KeepsAPasswordOfTheDatabaseInAFileOfItsOwn) {
  const Arguments words = to_service({"--query", kDemoQuery, "--time-zone", "UTC"});
  const std::string secret = empty_.path() + "/bridge.crm-connection";
  Crm crm(Server::postgresql);
  make_demo_orders(crm, Server::postgresql);
  const std::string with_stars =
      replaced(crm.connection(), "user=bridge", "user=locked password=***");
  for (const char* right : {"ALL ON ALL TABLES IN", "CREATE ON"})
    crm.execute(std::string("GRANT ") + right + " SCHEMA public TO locked");
  support::Terminal terminal(bridge_program(words));
  ASSERT_NO_FATAL_FAILURE(converse(terminal, {{"CRM's database: ", with_stars},
                                              {"password (not shown): ", "mistyped"},
                                              {"then [" + with_stars + "]: ", ""},
                                              {"password (not shown): ", kPassword},
                                              kAcceptStore}));
  EXPECT_THAT(terminal.shown(), has("password authentication failed"));
  ASSERT_NO_FATAL_FAILURE(converse(terminal, kAcceptColumns));
  EXPECT_EQ(terminal.wait(), 0) << terminal.shown();
  EXPECT_THAT(terminal.shown() + made(), lacks(kPassword, "mistyped"));
  EXPECT_THAT(support::read_file(secret), has(kPassword));
  EXPECT_EQ(mode_of_file(secret), 0600u);
  // In the text of an ODBC driver it stands between braces.
  for (const auto& name : {file(), secret})
    std::filesystem::remove(name);
  Crm by_odbc(Server::odbc);
  make_demo_orders(by_odbc, Server::odbc);
  support::Terminal other(bridge_program(words));
  ASSERT_NO_FATAL_FAILURE(converse(other, {{"CRM's database: ", by_odbc.connection() + "PWD=***"},
                                           {"password (not shown): ", "a;Database=none;}b"},
                                           kAcceptStore}));
  ASSERT_NO_FATAL_FAILURE(converse(other, kAcceptColumns)) << "the server asks for no password";
  EXPECT_EQ(other.wait(), 0) << other.shown();
  EXPECT_THAT(support::read_file(secret), has("PWD={a;Database=none;}}b}"));
}

// What the first lines of templates/NAME.sql say: "-- NAME: VALUE". Ten o'clock UTC two days ago is
// the first one's date, an hour later the second one's.
struct KnownSystem {
  std::string file, sql;
  Server server = Server::postgresql;
  std::multimap<std::string, std::string> facts = {};

  std::string fact(const std::string& name) const {
    const auto found = facts.find(name);
    return found == facts.end() ? "" : found->second;
  }
};

std::ostream& operator<<(std::ostream& out, const KnownSystem& system) {
  return out << system.file << (system.server == Server::mysql ? "_mysql" : "");
}

KnownSystem known_system(const std::string& name) {
  KnownSystem system{name, {}};
  std::istringstream lines(
      support::read_file(support::source_dir() + "/tests/program/templates/" + name + ".sql"));
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(": ");
    if (!line.starts_with("-- ")) {
      system.sql += line + "\n";
    } else if (colon != std::string::npos) {
      system.facts.emplace(line.substr(3, colon - 3), line.substr(colon + 2));
    }
  }
  if (system.fact("server") == "MariaDB") system.server = Server::mariadb;
  return system;
}

std::string two_days_ago() {
  using Days = date::sys_days;
  return date::format(
      "%F", date::floor<date::days>(std::chrono::system_clock::now()) - Days::duration(2));
}

void fill_crm(Crm& crm, const KnownSystem& system) {
  const std::string text = replaced(system.sql, "{day}", two_days_ago());
  for (std::size_t at = 0; at + 1 < text.size();) {
    const auto end = text.find(";\n", at);
    crm.execute(text.substr(at, end - at));
    at = end + 2;
  }
}

struct InitOfSystem : Init {
  explicit InitOfSystem(const KnownSystem& system) : Init(system.server) {
    fill_crm(crm_, system);
    config_ = file();
  }
  Arguments by(const Arguments& more) const {
    Arguments all{
        "init",       "-c",           file(),         "--token",        "env:BRIDGE_TOKEN",
        "--base-url", sandbox_.url(), "--connection", crm_.connection()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

struct Template : InitOfSystem, testing::WithParamInterface<KnownSystem> {
  Template() : InitOfSystem(GetParam()) {}
  std::vector<std::string> customers() const {
    std::vector<std::string> all;
    for (const auto& each : sandbox_.customers()) {
      const std::string date = each.at("transaction_date");
      EXPECT_EQ(date.substr(0, 11), two_days_ago() + "T");
      std::string text = std::string(each.at("email")) + "|" + date.substr(11);
      for (const char* name : {"OrderNumber", "FirstName", "LastName", "Language", "Amount"})
        text += "|" + each.at("data").value(name, "");
      all.push_back(text);
    }
    return all;
  }
};

TEST_P(Template, BringsCustomersOutAndTheirStatusBack) {
  const auto& system = GetParam();
  const std::string push = system.fact("push"), zone = system.fact("zone");
  Arguments options{"--template", system.fact("template")};
  if (!zone.empty()) options.insert(options.end(), {"--time-zone", zone});
  const auto ran =
      init(by(options), 0,
           has("push." + push + ": 2 customers in the next batch",
               "[suppress] has the opt-outs of ", zone.empty() ? "taken to be in UTC, as " : ""));
  EXPECT_THAT(ran.out, ContainsRegex("  " + system.fact("suppressed") + " +suppressed: "));
  expect({"release", push}, 1);
  expect({"release", push, "--confirm", system.fact("found")}, 0);
  expect({"sync", "push"}, 0);
  Columns expected;
  const auto [first, end] = system.facts.equal_range("customer");
  for (auto each = first; each != end; ++each)
    expected.push_back(each->second);
  EXPECT_THAT(customers(), UnorderedElementsAreArray(expected));
  // Another shop at the same service: none of its transactions is written here.
  sandbox_.post("/external/api/v3/customer/add",
                nlohmann::json::parse(R"({"ApproveAutomatically": true, "Customers": [{"Email":
                "other@private.test", "Data": [{"CustomerDataColumnId": 11, "Value": "999"},
                {"CustomerDataColumnId": 13, "Value": "Other"}]}]})"));
  expect({"sync", "pull"}, 0);
  const std::string status = crm_.cell("SELECT MIN(status_name) FROM survey_customer");
  EXPECT_NE(status, "-");
  Columns written;
  for (const auto& row : crm_.rows(system.fact("written")))
    written.push_back(row.at(0) + " " + row.at(1));
  EXPECT_THAT(written, ElementsAre(system.fact("first") + " " + status,
                                   system.fact("second") + " " + status));
  for (const auto& each : sandbox_.customers())
    expect({"forget", std::string(each.at("email"))}, 0);
  for (const auto& row : crm_.rows(system.fact("written")))
    EXPECT_EQ(row.at(1), "-") << row.at(0) << " outlives its person";
}

std::vector<KnownSystem> known_systems() {
  std::vector<KnownSystem> all;
  for (const char* name : {"dolibarr", "espocrm", "odoo", "prestashop", "woocommerce", "zammad"}) {
    auto system = all.emplace_back(known_system(name));
    if (system.server != Server::mariadb) continue;
    system.server = Server::mysql;
    all.push_back(std::move(system));
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Systems, Template, testing::ValuesIn(known_systems()),
                         [](const auto& each) { return testing::PrintToString(each.param); });

struct InitOfOdoo : InitOfSystem {
  InitOfOdoo() : InitOfSystem(known_system("odoo")) {}
};

TEST_F(InitOfOdoo, AsksForNothingThatTheTemplateAnswersAndTakesNoneWhereNoneIsWanted) {
  support::Terminal terminal(bridge_program(to_service()));
  ASSERT_NO_FATAL_FAILURE(
      converse(terminal, {{"(MariaDB, MySQL) or \"sqlite3://…\"", crm_.connection()},
                          kAcceptStore,
                          {"tables that are there (odoo), or none [odoo]: ", ""},
                          {"is ever sent [", ""}}));
  EXPECT_EQ(terminal.wait(), 0) << terminal.shown();
  EXPECT_THAT(terminal.shown(), has("are those of Odoo; its clock is in UTC"));
  EXPECT_THAT(terminal.shown(), lacks("time zone of"));
  // look_back, seven days, still reaches it a day from now.
  const auto start = date::ceil<date::days>(std::chrono::system_clock::now() - date::days{6});
  EXPECT_THAT(made(), has("time_zone = \"UTC\"", "\nstart = " + date::format("%F", start)));
  std::filesystem::remove(file());
  init(by({"--template", "none"}), 2, testing::_, has("init: --query: is required"));
  EXPECT_THAT(bridge(by({"--query",
                         "SELECT id, effective_date AS at, name AS email, name AS "
                         "last_name FROM sale_order WHERE id < 3"}))
                  .out,
              lacks("Odoo"));
  std::filesystem::remove(file());
  EXPECT_THAT(bridge(by({"--template", "magento"})).err,
              has("init: --template: must be none or \"dolibarr\", "));
  init(by({"--template", "zammad"}), 78, testing::_,
       has("init: --template: the database has not all tables of Zammad: tickets, "
           "ticket_states, "));
  init(by({"--template", "odoo:x_"}), 78, testing::_,
       has("has not all tables of Odoo with this prefix: sale_order, ",
           ". They are there as \"odoo:\""));
  auto at_wrong_path = by({});
  at_wrong_path.at(6) += "/external";
  init(at_wrong_path, 78, testing::_, has("init: --base-url: not the service expected: HTTP 404"));
  EXPECT_EQ(files(), 0);
  // Without a terminal a proposal is an answer, and the configuration loads.
  auto& server = support::PostgresServer::shared();
  server.sql("postgres", "DROP ROLE IF EXISTS clerk");
  server.sql("postgres", "CREATE ROLE clerk LOGIN");
  crm_.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO clerk");
  crm_.execute("GRANT CREATE, USAGE ON SCHEMA public TO clerk");
  auto as_clerk = by({});
  as_clerk.back() = replaced(crm_.connection(), "user=bridge", "user=clerk");
  init(as_clerk, 0,
       has("write-backs are a comment in the file: the table \"sale_order\" cannot be written: "));
  EXPECT_THAT(made(), has("\n# [[pull.customers.write]]\n"));
  init(by({"--force", "--map", "OrderNumber=email"}), 0,
       has("write-backs are a comment in the file: no data column of the service carries the key"));
  std::filesystem::remove(file());
  crm_.execute("DROP OWNED BY clerk");
  server.sql("postgres", "DROP ROLE clerk");
  crm_.execute("ALTER TABLE sale_order DROP COLUMN x_survey_status");
  init(by({}), 0, has("in UTC, as Odoo has it"));
  EXPECT_THAT(
      made(),
      has("\n# Cannot be written yet: the table \"sale_order\" has no column \"x_survey_status\"",
          "\n# [[pull.customers.write]]\n", "\n# Odoo: sales orders that are delivered.",
          "\n[suppress]  # whom no push may mail\nquery = "));
}

struct InitOfShops : InitOfSystem {
  InitOfShops() : InitOfSystem(known_system("woocommerce")) {}
};

// Orders of the site whose tables are not in use would be old ones.
TEST_F(InitOfShops, AsksForThePrefixAndFindsNothingWhereTheTablesAreNotInUse) {
  for (const Arguments& options : {Arguments{}, Arguments{"--template", "woocommerce"}})
    init(by(options), 2, testing::_,
         AllOf(ContainsRegex("init: --template: .*shop_2_.*shop_[^2]"), lacks("--query")));
  const auto second = bridge(by({"--template", "woocommerce:shop_2_"}));
  EXPECT_THAT(second.out,
              has("custom order tables (HPOS) are off, so this query never finds an order",
                  "push.orders: nothing waits: the query returns no row",
                  "[suppress] is still a comment in the file"))
      << second.err;
  EXPECT_THAT(made(), has("\n# query = \"SELECT email FROM shop_2_mailpoet_subscribers"));
}

}  // namespace
}  // namespace program
