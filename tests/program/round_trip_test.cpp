// Orders go out and come back with the real programs over real sockets, on each database, also
// where the bridge's own tables have a place of their own ([store]): each exactly once, each field
// right, and nothing a second time. Once more in XML, with a service that requires its namespace
// and alphabetical order: all values and tables equal those of JSON. And where the place is
// another: a CRM that may only be read, a standby, a CRM that is away for a while, two bridges in
// one database, and the past that `backfill` brings.
#include <algorithm>
#include <map>

#include <date/date.h>
#include <date/tz.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/sections/load.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/service/api.hpp"
#include "connectors/service/curl_transport.hpp"
#include "mapping/tables/tables.hpp"
#include "tests/program/world.hpp"

namespace program {
namespace {

namespace config = surveybridge::config;
namespace mapping = surveybridge::mapping;
namespace service = surveybridge::service;
using nlohmann::json;
using Cells = std::vector<std::string>;

constexpr int kOrders = 300;

// Customers live fifty million times faster than in reality, 75 days: after this time nothing
// changes.
constexpr std::chrono::milliseconds kLife{150};
const Arguments kLively = {"--speed", "50000000"};

// As the sandbox writes it: UTC, without zeros at the end of the fraction.
std::string utc(std::chrono::local_time<std::chrono::microseconds> at) {
  const date::local_time<std::chrono::microseconds> local{at.time_since_epoch()};
  const auto sys = date::locate_zone("Europe/Amsterdam")->to_sys(local);
  std::string text = date::format("%FT%T", sys);
  text.resize(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  if (text.size() < 19) text.resize(19, '0');
  return text + "Z";
}

json json_or_null(const auto& value) {
  return value ? json(*value) : json(nullptr);
}

// The customer that the service must store for an order, as GET /sandbox/customers shows it (the
// members that the push maps). Computed without the bridge's mapping, so that an error there is
// found.
json held(const Order& order) {
  const auto next_day = std::chrono::floor<std::chrono::days>(order.delivered_at) +
                        std::chrono::days{1} + std::chrono::hours{10};
  json answers = json::array();
  if (order.remark || order.grade) {
    json positions = json::array();
    if (order.grade) positions.push_back(*order.grade);
    answers.push_back(
        {{"question", 1200}, {"text", json_or_null(order.remark)}, {"values", positions}});
  }
  return {{"email", order.email},
          {"phone_number", order.phone},
          {"transaction_date", utc(order.delivered_at)},
          {"send_date", utc(next_day)},
          {"priority", order.priority},
          {"data",
           {{"OrderNumber", std::to_string(order.id)},
            {"FirstName", order.first_name},
            {"LastName", order.last_name},
            {"Product", order.amount}}},
          {"answers", answers}};
}

json held(const json& shown) {
  json answers = json::array();
  for (const json& answer : shown.at("answers")) {
    json values = json::array();
    for (const json& position : answer.at("SelectedScalePositions"))
      values.push_back(position.at("Value"));
    answers.push_back({{"question", answer.at("BaseQuestionId")},
                       {"text", answer.at("Text")},
                       {"values", values}});
  }
  json out{{"answers", answers}};
  for (const char* name :
       {"email", "phone_number", "transaction_date", "send_date", "priority", "data"})
    out[name] = shown.at(name);
  return out;
}

struct ListedTable {
  std::string name;
  std::vector<std::string> columns;  // all but changed_at, which the service does not list
  std::vector<Cells> rows;
};

std::vector<mapping::Record> all_of(service::Api& api, const service::ListOperation& list,
                                    const std::vector<service::Parameter>& filters) {
  std::vector<mapping::Record> records;
  std::string cursor;
  do {
    auto page = std::get<mapping::Page>(api.page(list, filters, cursor, 100, {}));
    std::move(page.records.begin(), page.records.end(), std::back_inserter(records));
    cursor = page.next_cursor;
  } while (!cursor.empty());
  return records;
}

// The service does not list these.
bool is_ours(const std::string& column) {
  return column == "changed_at" || column == "digest";
}

ListedTable listed(const mapping::TableRows& from) {
  ListedTable table{from.table->name, {}, std::vector<Cells>(from.rows.size())};
  for (std::size_t i = 0; i < from.table->columns.size(); ++i) {
    if (is_ours(from.table->columns[i].name)) continue;
    table.columns.push_back(from.table->columns[i].name);
    for (std::size_t row = 0; row < from.rows.size(); ++row)
      table.rows[row].push_back(plain(from.rows[row][i]));
  }
  return table;
}

// Everything that the service lists now, as rows.
std::vector<ListedTable> lists_of(const std::string& base_url) {
  setenv("BRIDGE_TOKEN", kToken, 1);
  const auto parsed = config::parse(configuration("sqlite3://unused", base_url), "");
  const config::Service& settings = std::get<config::Settings>(parsed).service;
  service::CurlTransport transport({}, nullptr);
  const auto credentials = std::get<0>(service::Credentials::make(settings.auth));
  service::Api api(settings, transport, *credentials);
  const service::DateFilter always{mapping::Instant{}, std::nullopt};
  std::vector<ListedTable> tables;
  const auto add = [&](const mapping::Resource& root, const std::vector<mapping::Record>& records) {
    for (const auto& rows : mapping::rows_of(root, records, {}))
      tables.push_back(listed(rows));
  };
  add(mapping::customer(),
      all_of(api, service::customers(), {{"IncludeNotes", std::string("true")}}));
  add(mapping::rating(), all_of(api, service::operation_of(config::Pull::List::ratings),
                                {{"ReviewApprovedDateFilter", always}}));
  add(mapping::bouncer(), all_of(api, service::operation_of(config::Pull::List::bouncers), {}));
  return tables;
}

// The rows of such a table in the CRM. Some columns have names that are words of SQL.
std::vector<Cells> stored(Crm& crm, const ListedTable& table) {
  return crm.rows(surveybridge::crm::in_dialect(
      crm.open()->dialect(),
      fmt::format("SELECT \"{}\" FROM {}", fmt::join(table.columns, "\", \""), table.name)));
}

// The first difference from the table's rows, in any order; empty: none.
std::string first_difference(std::vector<Cells> found, const ListedTable& expected) {
  std::vector<Cells> wanted = expected.rows;
  std::sort(wanted.begin(), wanted.end());
  std::sort(found.begin(), found.end());
  const auto [here, there] =
      std::mismatch(found.begin(), found.end(), wanted.begin(), wanted.end());
  if (here == found.end() && there == wanted.end()) return "";
  const std::string row =
      here == found.end() ? "nothing" : fmt::format("{}", fmt::join(*here, ", "));
  const std::string other =
      there == wanted.end() ? "nothing" : fmt::format("{}", fmt::join(*there, ", "));
  return expected.name + ": " + row + "\ninstead of " + other;
}

// Everything in the bridge's tables and the orders that a run without news must not change; on
// PostgreSQL with each row's version, so that a rewrite is found too.
std::map<std::string, std::vector<Cells>> snapshot(Crm& crm, Server server) {
  std::vector<std::string> names{"orders", "survey_push", "survey_push_event", "survey_batch"};
  for (const mapping::Resource* root :
       {&mapping::customer(), &mapping::rating(), &mapping::bouncer()}) {
    for (const mapping::Table& table : mapping::tables_of(*root))
      names.push_back(table.name);
  }
  const std::string version =
      server == Server::sqlite || speaks_mysql(server) ? "" : ", CAST(xmin AS TEXT)";
  std::map<std::string, std::vector<Cells>> all;
  for (const std::string& name : names) {
    auto rows = crm.rows("SELECT t.*" + version + " FROM " + name + " t");
    std::sort(rows.begin(), rows.end());
    all.emplace(name, std::move(rows));
  }
  return all;
}

// Where the CRM is, and the bridge's own tables.
struct Places {
  const char* name;
  Server crm;
  std::optional<Server> store = {};  // none: in the CRM's database
  const char* schema = "";           // of the CRM's database
  bool in_xml = false;
};

std::ostream& operator<<(std::ostream& out, const Places& places) {
  return out << places.name;
}

const std::string kNamespace = "http://schemas.example.com/import";

Arguments service_of(const Places& places) {
  Arguments flags = kLively;
  if (places.in_xml)
    flags.insert(flags.end(),
                 {"--xml-prefix", "s", "--xml-expect-namespace", kNamespace, "--xml-expect-order"});
  return flags;
}

struct RoundTrip : testing::TestWithParam<Places>, BridgeOn {
  RoundTrip() : BridgeOn(GetParam().crm, service_of(GetParam())) {
    crm_.insert(orders_);
    write(configured());
  }
  // Notes are listed only on request.
  std::string configured() const {
    std::string text =
        replaced(usual_, "by      = \"LastActivityDate\"\n",
                 "by      = \"LastActivityDate\"\nfilter  = { IncludeNotes = true }\n");
    if (GetParam().in_xml)
      text = replaced(text, "[service]\n", "[service]\nformat = \"xml\"\n") +
             "[service.dialect]\nxml_namespace = \"" + kNamespace + "\"\n";
    if (GetParam().store) return text + store_in(own_tables_->connection());
    if (own_tables_) return text + "[store]\nschema = \"" + GetParam().schema + "\"\n";
    return text;
  }
  std::unique_ptr<Crm> own_tables() const {
    if (GetParam().store) return std::make_unique<Crm>(*GetParam().store);
    if (*GetParam().schema != '\0') return std::make_unique<Crm>(crm_, GetParam().schema);
    return nullptr;
  }
  Crm& tables() { return own_tables_ ? *own_tables_ : crm_; }
  Server server_of_tables() const { return GetParam().store.value_or(GetParam().crm); }
  static std::map<std::string, std::string> pairs(Crm& crm, const std::string& sql) {
    std::map<std::string, std::string> all;
    for (const auto& row : crm.rows(sql))
      all[row.at(0)] = row.at(1);
    return all;
  }
  // Pulls until every customer is finished, and once more.
  void pull_all() {
    const auto end = std::chrono::steady_clock::now() + kLife;
    do {
      ASSERT_EQ(command({"sync", "pull"}).status, 0);
    } while (std::chrono::steady_clock::now() < end);
    ASSERT_EQ(command({"sync", "pull"}).status, 0);
  }

  const std::unique_ptr<Crm> own_tables_ = own_tables();
  const std::vector<Order> orders_ = orders(kOrders);
};

// Then the tables equal what the service lists, and stay as they are.
TEST_P(RoundTrip, EveryOrderArrivesOnceAndComesBackWithEveryFieldRight) {
  expect({"sync", "push"}, 0);
  std::map<std::string, json> found;
  for (const auto& customer : sandbox_.customers()) {
    const std::string number = customer.at("data").at("OrderNumber");
    EXPECT_TRUE(found.emplace(number, held(customer)).second) << "twice: " << number;
  }
  EXPECT_EQ(found.size(), orders_.size());
  for (const Order& order : orders_) {
    const auto at = found.find(std::to_string(order.id));
    ASSERT_NE(at, found.end()) << order.id;
    ASSERT_EQ(at->second, held(order)) << json::diff(held(order), at->second);
  }
  EXPECT_EQ(tables().count("survey_push WHERE state = 'sent'"), std::to_string(kOrders));
  EXPECT_EQ(sandbox_.adds(), kOrders / 100);

  pull_all();
  for (const auto& expected : lists_of(sandbox_.url())) {
    EXPECT_FALSE(expected.rows.empty()) << expected.name << ": there is nothing to compare";
    EXPECT_EQ(first_difference(stored(tables(), expected), expected), "");
  }
  const auto written = pairs(crm_, "SELECT id, survey_status FROM orders");
  EXPECT_EQ(written.size(), orders_.size());
  EXPECT_EQ(written,
            pairs(tables(),
                  "SELECT d.value, c.status_name FROM survey_customer_data d JOIN survey_customer c"
                  " ON c.id = d.customer_id WHERE d.name = 'OrderNumber'"));
  EXPECT_EQ(tables().count("survey_write_queue"), "0");

  const auto before = snapshot(tables(), server_of_tables());
  const auto adds = sandbox_.adds();
  expect({"sync"}, 0);
  EXPECT_EQ(sandbox_.adds(), adds) << "a second sync sends nothing";
  EXPECT_EQ(snapshot(tables(), server_of_tables()), before) << "and rewrites nothing";
}

INSTANTIATE_TEST_SUITE_P(
    Databases, RoundTrip,
    testing::Values(Places{"postgresql", Server::postgresql}, Places{"odbc", Server::odbc},
                    Places{"mariadb", Server::mariadb}, Places{"mysql", Server::mysql},
                    Places{"sqlite", Server::sqlite},
                    Places{"postgresql_in_xml", Server::postgresql, {}, "", true}),
    [](const auto& each) { return std::string(each.param.name); });

// The bridge's tables in another database than the CRM's, or in another schema of it.
INSTANTIATE_TEST_SUITE_P(
    Apart, RoundTrip,
    testing::Values(Places{"postgresql_to_sqlite", Server::postgresql, Server::sqlite},
                    Places{"mariadb_to_postgresql", Server::mariadb, Server::postgresql},
                    Places{"mysql_to_sqlite", Server::mysql, Server::sqlite},
                    Places{"mysql_to_postgresql", Server::mysql, Server::postgresql},
                    Places{"sqlite_to_postgresql", Server::sqlite, Server::postgresql},
                    Places{"postgresql_to_mariadb", Server::postgresql, Server::mariadb},
                    Places{"postgresql_to_a_schema", Server::postgresql, {}, "surveybridge"}),
    [](const auto& each) { return std::string(each.param.name); });

constexpr int kInvited = 150;

// A PostgreSQL that logs who changes what. Each time the bridge's tables are others, and the
// service.
TEST(CrmThatIsOnlyRead, IsPushedFromByARoleThatMayReadOneViewAndMayBeAHotStandby) {
  support::PostgresServer server({"log_statement=mod", "log_line_prefix=<%u> "});
  BridgeOn on(server);
  Crm& crm = on.crm_;
  crm.insert(orders(kInvited));
  crm.execute("CREATE VIEW invitable AS SELECT * FROM orders");
  crm.execute("CREATE ROLE reader LOGIN");
  crm.execute("GRANT SELECT ON invitable TO reader");
  crm.execute("CREATE ROLE owner SUPERUSER LOGIN");
  const auto configure = [&](const std::string& old, const std::string& with,
                             const std::string& url, const std::string& store) {
    const auto connection = replaced(crm.connection(), old, with);
    on.write(replaced(without_writes(configuration(connection, url)), "SELECT * FROM orders",
                      "SELECT * FROM invitable") +
             store_in("sqlite3://" + on.folder_.path() + "/" + store));
  };
  configure("user=bridge", "user=reader", on.sandbox_.url(), "store.db");
  on.expect({"check"}, 0);
  on.expect({"sync"}, 0);
  EXPECT_EQ(on.sandbox_.customers().size(), 150u);
  on.expect({"verify"}, 0);
  crm.insert(orders(10, kInvited + 1));
  configure("user=bridge", "user=owner", on.sandbox_.url(), "store.db");
  on.expect({"sync"}, 0);
  EXPECT_EQ(on.sandbox_.customers().size(), 160u);
  const std::string log = server.log();
  EXPECT_THAT(log, has("CREATE VIEW invitable")) << "it logs changes";
  EXPECT_THAT(log, lacks("<reader> ", "<owner> ")) << "no change, and no refusal";
  EXPECT_EQ(crm.rows("SELECT relname FROM pg_class WHERE relkind IN ('r', 'v', 'S', 'm') AND"
                     " relnamespace = 'public'::regnamespace ORDER BY relname"),
            (std::vector<Cells>{{"invitable"}, {"orders"}}));

  // A copy that is made now has every row, whatever it has received of the stream.
  const auto standby = support::PostgresServer::standby_of(server);
  const SandboxProgram other({"--speed", "0"});
  configure("port=" + std::to_string(server.port()), "port=" + std::to_string(standby->port()),
            other.url(), "standby.db");
  on.expect({"check"}, 0);
  on.expect({"sync"}, 0);
  EXPECT_EQ(other.customers().size(), 160u);
  EXPECT_EQ(standby->sql("postgres", "SELECT pg_is_in_recovery()"), "t");

  crm.execute("CREATE SEQUENCE numbers");
  const std::string refused = "with [store] the CRM is only read, and the query writes";
  for (const char* query :
       {"SELECT *, nextval('numbers') AS number FROM orders", "SELECT * FROM orders FOR UPDATE"}) {
    on.write(replaced(without_writes(on.usual_), "SELECT * FROM orders", query) +
             store_in("sqlite3://" + on.folder_.path() + "/none.db"));
    on.expect({"check"}, 78, testing::_, has(refused));
    on.expect({"sync", "push"}, 78, testing::_, has(refused));
  }
  EXPECT_EQ(on.sandbox_.customers().size(), 160u);
}

// A daemon whose CRM goes away and comes back.
TEST(CrmThatIsAway, HoldsUpNoPullAndIsWrittenAfterwards) {
  support::PostgresServer server;
  BridgeOn on(server, kLively);
  on.crm_.insert(orders(kInvited));
  const std::string store = "sqlite3://" + on.folder_.path() + "/store.db";
  on.write(on.usual_ + store_in(store));
  on.expect({"sync", "push"}, 0);
  server.stop();
  EXPECT_NE(on.command({"sync", "pull"}).status, 0) << "what is written back is left";
  const auto tables = surveybridge::crm::open_database(store);
  const auto count = [&](const std::string& table) {
    return plain(tables->query({"SELECT count(*) FROM " + table, {}}).rows.at(0).at(0));
  };
  EXPECT_NE(count("survey_customer"), "0");
  EXPECT_EQ(count("survey_write_queue"), count("survey_customer"));
  server.start();
  on.crm_.reconnect();
  EXPECT_THAT(on.command({"status"}).out,
              has(count("survey_write_queue") + " changes are queued for the CRM"));
  on.expect({"sync", "pull"}, 0);
  EXPECT_EQ(count("survey_write_queue"), "0");
  EXPECT_EQ(on.crm_.count("orders WHERE survey_status IS NOT NULL"), count("survey_customer"));
}

TEST(CrmWithoutRoom, IsNamedWithColumnAndReason) {
  BridgeOn on(Server::postgresql);
  on.crm_.insert(orders(20));
  on.crm_.execute("ALTER TABLE orders ALTER COLUMN survey_status TYPE varchar(3)");
  on.write(on.usual_ + store_in("sqlite3://" + on.folder_.path() + "/store.db"));
  on.command({"sync", "push"});
  const auto synced = on.command({"sync", "pull"});
  const std::string told =
      "not written into orders.survey_status: the value is too long for the column";
  const auto first = synced.err.find(told);
  EXPECT_NE(first, std::string::npos) << synced.err;
  EXPECT_EQ(synced.err.find(told, first + 1), std::string::npos) << "once";
  // A person is needed.
  on.expect({"status"}, 1, has("20 records are not in orders.survey_status"));
  on.crm_.execute("ALTER TABLE orders ALTER COLUMN survey_status TYPE text");
  EXPECT_EQ(on.command({"write-back", "customers", "--json"}).out,
            "{\"list\":\"customers\",\"tables\":[\"orders\"]}\n");
  EXPECT_EQ(on.command({"write-back", "customers"}).out,
            "all stored customers will be written again by the daemon or the next `sync`\n");
  on.expect({"sync", "pull"}, 0);
  EXPECT_THAT(on.command({"status"}).out, lacks("records are not in"));
  EXPECT_EQ(on.crm_.count("orders WHERE survey_status IS NOT NULL"), "20");
}

// Test and live, or two services: each bridge has a schema of the same database. MariaDB's schemas
// are the databases of its server.
TEST(TwoBridges, LiveBesideEachOtherInOneDatabase) {
  for (const Server server : {Server::postgresql, Server::mariadb}) {
    SCOPED_TRACE(static_cast<int>(server));
    Crm crm(server);
    crm.insert(orders(kInvited));
    const support::TemporaryFolder folder;
    const SandboxProgram live_service({"--speed", "0"}), test_service({"--speed", "0"});
    const bool postgresql = server == Server::postgresql;
    const auto own_tables = [&](const char* schema) {
      return postgresql ? std::make_unique<Crm>(crm, schema) : std::make_unique<Crm>(server);
    };
    const auto live = own_tables("live"), test = own_tables("test");
    const auto synced = [&](const char* schema, Crm& tables, const SandboxProgram& service) {
      const std::string name = postgresql ? schema : tables.cell("SELECT DATABASE()");
      expect({"sync", "-c",
              folder.write(std::string(schema) + ".toml",
                           without_writes(configuration(crm.connection(), service.url())) +
                               "[store]\nschema = \"" + name + "\"\n")},
             0);
    };
    synced("live", *live, live_service);
    EXPECT_EQ(live_service.customers().size(), 150u);
    EXPECT_EQ(test_service.customers().size(), 0u);
    const auto before = snapshot(*live, server);
    synced("test", *test, test_service);
    EXPECT_EQ(test_service.customers().size(), 150u);
    EXPECT_EQ(live_service.customers().size(), 150u);
    EXPECT_EQ(snapshot(*live, server), before) << "the other's tables stay as they are";
    EXPECT_EQ(test->count("survey_push WHERE state = 'sent'"), "150");
    EXPECT_EQ(crm.count(postgresql ? "pg_tables WHERE schemaname = 'public'"
                                   : "information_schema.tables WHERE table_schema = DATABASE()"),
              "1");
  }
}

constexpr int kPast = 600;

// Complete, also when it is killed and started again.
struct Backfill : BridgeAndSqlite {
  Backfill() : BridgeAndSqlite({"--speed", "500000000", "--latency", "20ms"}) {
    // A walk that was killed is free at once, and elsewhere in two time-outs and ten seconds.
    write(replaced(usual_, "timeout   = \"20s\"", "timeout   = \"1s\""));
    crm_.insert(orders(kPast));
    expect({"sync", "push"}, 0);
  }
  static Arguments backfill(const Arguments& more = {}) {
    Arguments words = {"backfill", "customers", "--from", "2025-01-01"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // Ends it after it has stored something; how much is stored, and what it said.
  std::pair<int, std::string> ended(const Arguments& more, int signal, int status) {
    support::ChildProcess child(bridge_program(with_file(backfill(more), config_)));
    for (int tries = 0; tries < 2000 && crm_.count("survey_customer") == "0"; ++tries)
      EXPECT_EQ(child.wait(std::chrono::milliseconds(5)), std::nullopt);
    child.signal(signal);
    EXPECT_EQ(child.wait(std::chrono::seconds(10)), status);
    const int before = std::stoi(crm_.count("survey_customer"));
    EXPECT_LT(before, kPast);
    return {before, child.err()};
  }
  // What was stored is not asked for again.
  support::Finished expect_the_rest(int before, const Arguments& more) {
    auto done = expect(
        backfill(more), 0,
        has(std::to_string(kPast - before) + " customers, ", " windows walked to their end\n"));
    EXPECT_EQ(crm_.count("survey_customer"), std::to_string(kPast));
    EXPECT_EQ(crm_.count("survey_cursor WHERE walk LIKE 'backfill %'"), "0")
        << "the next one begins anew";
    for (const char* table : {"answer_scale_position", "answer", "customer_data", "customer"})
      crm_.execute(std::string("DELETE FROM survey_") + table);
    return done;
  }
};

TEST_F(Backfill, GoesOnWhereItWasKilledOrStopped) {
  // Nobody says how far.
  const auto killed = ended({"--parallel", "1"}, SIGKILL, 128 + SIGKILL);
  EXPECT_THAT(expect_the_rest(killed.first, {}).err, has("goes on with the one that was begun"));
  const auto again = ended({"--to", "2030-01-01", "--parallel", "1"}, SIGKILL, 128 + SIGKILL);
  EXPECT_NE(crm_.count("survey_cursor WHERE walk LIKE 'backfill %'"), "0");
  expect_the_rest(again.first, {"--to", "2030-01-01", "--parallel", "4"});
  const auto stopped = ended({"--parallel", "1"}, SIGINT, 1);
  EXPECT_THAT(stopped.second, has("backfill: stopped; the same command goes on from here\n"));
  expect_the_rest(stopped.first, {});
}

TEST_F(Backfill, BringsTheWholePastAndKeepsNothingThatIsTooOld) {
  expect(backfill({"--json"}), 0,
         R"({"list":"customers","done":600,"windows":32,"walked":32,"reason":null})"
         "\n");
  EXPECT_EQ(crm_.count("survey_customer"), "600");
  expect({"backfill", "orders", "--from", "2025-01-01"}, 2);
  expect({"backfill", "customers", "--from", "soon"}, 2);
  expect(backfill({"--to", "2024-01-01"}), 2);
  expect(backfill({"--parallel", "99"}), 2);
  const std::string old = "UPDATE survey_customer SET last_activity_date = '2025-06-01 00:00:00'",
                    ten = " WHERE id <= (SELECT MIN(id) + 9 FROM survey_customer)";
  crm_.execute(old + ", digest = 'x'" + ten);
  crm_.execute("DELETE FROM survey_cursor");
  write(replaced(usual_, "[pull.customers]", "[pull.customers]\nkeep = \"30d\""));
  expect({"sync", "customers"}, 0);
  EXPECT_EQ(crm_.count("survey_customer"), "600") << "they were active lately, the service says";
  crm_.execute(old + ten);
  expect({"sync", "customers"}, 0);
  EXPECT_EQ(crm_.count("survey_customer"), "590");
  EXPECT_EQ(crm_.count("survey_customer_data WHERE customer_id NOT IN"
                       " (SELECT id FROM survey_customer)"),
            "0");
}

}  // namespace
}  // namespace program
