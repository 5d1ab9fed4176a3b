#include "tests/program/world.hpp"

#include <stdexcept>

#include <date/date.h>
#include <fmt/format.h>

#include "tests/support/mariadb_server.hpp"
#include "tests/support/paths.hpp"

namespace program {

namespace crm = surveybridge::crm;
namespace mapping = surveybridge::mapping;

namespace {

constexpr const char* kConfiguration = R"(
[service]
base_url  = "@BASE_URL@"
time_zone = "Europe/Amsterdam"
timeout   = "20s"

[service.auth]
kind  = "bearer"
token = { env = "BRIDGE_TOKEN" }

[service.pace]
max_in_flight  = 8
max_per_second = 1000

[service.enumerations]
FormStatus   = { 0 = "None", 1 = "New", 2 = "InProgress", 3 = "Closed" }
ReviewStatus = { 0 = "None", 1 = "Pending", 2 = "Approved", 3 = "Rejected" }
Sentiment    = { 0 = "Negative", 1 = "Neutral", 2 = "Positive" }
Type         = { 0 = "InteractionByUser", 1 = "InteractionBySystem" }

[crm]
connection = "@CONNECTION@"
time_zone  = "Europe/Amsterdam"
[push.orders]
brake = false
every     = "1s"
query     = "SELECT * FROM orders"
key       = "id"
when      = "delivered_at"
start     = 2025-01-01
look_back = "3650d"
correlate = "OrderNumber"
settle    = "5s"

[push.orders.batch]
size                 = 100
ApproveAutomatically = true
BatchName            = "orders"

[push.orders.customer]
Email           = { column = "email", trim = true, required = true }
PhoneNumber     = "phone"
TransactionDate = "delivered_at"
SendDate        = { column = "delivered_at", plus = "1d", at = "10:00" }
Priority        = "priority"

[push.orders.customer.Data]
OrderNumber = "id"
FirstName   = { column = "first_name", trim = true, default = "customer" }
LastName    = "last_name"
Product     = "amount"

[[push.orders.customer.Answers]]
BaseQuestionId         = 1200
Text                   = "remark"
SelectedScalePositions = [{ Value = "grade" }]

[pull.customers]
every   = "1s"
from    = 2025-01-01
by      = "LastActivityDate"
overlap = "1h"

[[pull.customers.write]]
table = "orders"
match = { id = "Data[OrderNumber]" }
set   = { survey_status = "Status.StatusName", survey_score = "Answers[1200].SelectedScalePositions[0].Value" }

[pull.ratings]
every = "1s"
from  = 2025-01-01

[pull.bouncers]
every     = "1s"
look_back = "3650d"
)";

constexpr const char* kFirstNames[] = {"Zoë",      "Miguel Ángel", "O'Brien",
                                       "Łukasz 🚲", "Нина",         "A\"B\\C"};

struct Plain {
  std::string operator()(mapping::Null) const { return "-"; }
  std::string operator()(bool flag) const { return flag ? "1" : "0"; }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(const mapping::Decimal& number) const { return number.text; }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(mapping::Instant at) const {
    return date::format("%FT%TZ", date::sys_time<std::chrono::microseconds>{at.time_since_epoch()});
  }
  std::string operator()(mapping::LocalTime at) const {
    return date::format("%FT%TZ", date::sys_time<std::chrono::microseconds>{at.time_since_epoch()});
  }
  std::string operator()(const mapping::Bytes& bytes) const { return bytes.bytes; }
  std::string operator()(const mapping::Enumerator& value) const { return value.name; }
};

std::string connection_to(Server kind, const support::TemporaryFolder& folder) {
  if (kind == Server::sqlite) return "sqlite3://" + folder.path() + "/crm.db";
  if (speaks_mysql(kind)) {
    auto& server = support::MariadbServer::shared(kind);
    return server.odbc(server.create_database());
  }
  auto& server = support::PostgresServer::shared();
  const std::string database = server.create_database();
  return kind == Server::odbc ? server.odbc(database) : server.native(database);
}

template <typename T>
mapping::Value or_null(const std::optional<T>& value) {
  if (!value) return mapping::Null{};
  return *value;
}

}  // namespace

std::vector<Order> orders(int count, std::int64_t first) {
  using namespace std::chrono;
  const local_time<microseconds> begin{local_days{2025y / January / 1} + 17min + 25s + 123456us};
  std::vector<Order> all;
  for (std::int64_t id = first; id < first + count; ++id) {
    Order order;
    order.id = id;
    order.email = fmt::format("customer+{}@{}", id, kDomain);
    order.first_name = fmt::format("{} {}", kFirstNames[id % 6], kName);
    order.last_name = fmt::format("{}-{}", kName, id);
    order.phone = fmt::format("{} {:04}", "+31 6 0000", id % 10000);
    order.amount = fmt::format("{}.{:02}", id * 7, id % 100);
    order.delivered_at = begin + id * 8h + (id % 3 == 0 ? 0us : microseconds{id * 1000});
    if (id % 4 != 0) order.remark = fmt::format("{}: <{}> & a line\r\nmore", kRemark, id);
    if (id % 5 != 0) order.grade = static_cast<int>(id % 10) + 1;
    order.priority = static_cast<int>(id % 7);
    all.push_back(std::move(order));
  }
  return all;
}

std::string configuration(const std::string& connection, const std::string& base_url) {
  return replaced(replaced(kConfiguration, "@BASE_URL@", base_url), "@CONNECTION@", connection);
}

std::string with_page(const std::string& text, int port, const std::string& more) {
  return text + "\n[status]\nlisten = \"127.0.0.1:" + std::to_string(port) + "\"\n" + more;
}

std::string replaced(std::string text, const std::string& old, const std::string& with) {
  auto at = text.find(old);
  if (at == std::string::npos) throw std::invalid_argument("no \"" + old + "\" to replace");
  for (; at != std::string::npos; at = text.find(old, at + with.size()))
    text.replace(at, old.size(), with);
  return text;
}

std::string without_writes(const std::string& text) {
  const auto from = text.find("[[pull.customers.write]]");
  return text.substr(0, from) + text.substr(text.find("[pull.ratings]"));
}

std::string store_in(const std::string& connection) {
  return "[store]\nconnection = \"" + connection + "\"\n";
}

// SQLite has no decimals: an exact amount is a text there.
std::string table_of_orders(Server server) {
  const bool sqlite = server == Server::sqlite;
  return std::string(
             "CREATE TABLE orders (id BIGINT PRIMARY KEY, email TEXT, first_name TEXT,"
             " last_name TEXT, phone TEXT, amount ") +
         (sqlite ? "TEXT" : "NUMERIC(12,2)") + ", delivered_at " +
         (speaks_mysql(server) ? "DATETIME(6)" : "TIMESTAMP") +
         ", remark TEXT, grade INTEGER, priority INTEGER,"
         " survey_status TEXT, survey_score INTEGER)";
}

Crm::Crm(Server server) : connection_(connection_to(server, folder_)), database_(open()) {
  execute(table_of_orders(server));
}

Crm::Crm(support::PostgresServer& server)
    : connection_(server.native(server.create_database())), database_(open()) {
  execute(table_of_orders(Server::postgresql));
}

Crm::Crm(const Crm& other, const std::string& schema)
    : connection_(other.connection_), schema_(schema) {
  other.open()->execute({"CREATE SCHEMA " + schema, {}});
  database_ = open();
  execute(table_of_orders(Server::postgresql));
}

std::unique_ptr<crm::Database> Crm::open() const {
  return crm::open_database(connection_, "UTC", {.schema = schema_});
}

void Crm::insert(const std::vector<Order>& orders) {
  crm::Transaction transaction(*database_);
  insert_into(*database_, orders);
  transaction.commit();
}

std::vector<std::vector<std::string>> Crm::rows(const std::string& sql) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : database_->query({sql, {}}).rows) {
    std::vector<std::string>& cells = rows.emplace_back();
    for (const auto& cell : row)
      cells.push_back(plain(cell));
  }
  return rows;
}

void make_demo_orders(Crm& crm, Server server) {
  const support::TemporaryFolder folder;
  const std::string made = folder.path() + "/demo.db";
  const auto ran = support::run(
      {{"sqlite3", "-bail", made, ".cd " + support::source_dir() + "/demo", ".read crm.sql"}, {}});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto demo = crm::open_database("sqlite3://" + made);
  const auto rows = demo->query(
      {"SELECT id, order_no, email, first_name, last_name, country, language, delivered_at, amount,"
       " remark, grade, state FROM orders",
       {}});
  crm.execute("DROP TABLE orders");
  crm.execute(std::string("CREATE TABLE orders (id INTEGER PRIMARY KEY, order_no VARCHAR(20) NOT "
                          "NULL UNIQUE, email TEXT, first_name TEXT, last_name TEXT, country TEXT,"
                          " language TEXT, delivered_at ") +
              (speaks_mysql(server) ? "DATETIME(6)" : "TIMESTAMP") +
              ", amount TEXT, remark TEXT, grade TEXT, state VARCHAR(20) NOT NULL)");
  crm::Transaction transaction(crm.database());
  crm.database().execute_each(
      "INSERT INTO orders VALUES (:p1, :p2, :p3, :p4, :p5, :p6, :p7, :p8, :p9, :p10, :p11, :p12)",
      rows.rows);
  transaction.commit();
}

void insert_into(crm::Database& database, const std::vector<Order>& orders) {
  std::vector<std::vector<mapping::Value>> rows;
  for (const Order& order : orders) {
    const auto grade = order.grade ? std::optional<std::int64_t>(*order.grade) : std::nullopt;
    rows.push_back({order.id, order.email, order.first_name, order.last_name, order.phone,
                    mapping::Decimal{order.amount}, order.delivered_at, or_null(order.remark),
                    or_null(grade), std::int64_t{order.priority}});
  }
  database.execute_each(
      "INSERT INTO orders (id, email, first_name, last_name, phone, amount, delivered_at, remark,"
      " grade, priority) VALUES (:p1, :p2, :p3, :p4, :p5, :p6, :p7, :p8, :p9, :p10)",
      rows);
}

std::string plain(const mapping::Value& value) {
  return std::visit(Plain{}, value);
}

}  // namespace program
