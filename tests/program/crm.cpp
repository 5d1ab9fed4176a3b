#include "tests/program/crm.hpp"

#include <date/date.h>

#include "tests/support/mariadb_server.hpp"

namespace program {

namespace crm = surveybridge::crm;
namespace mapping = surveybridge::mapping;

namespace {

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

template <typename T>
mapping::Value or_null(const std::optional<T>& value) {
  if (!value) return mapping::Null{};
  return *value;
}

}  // namespace

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

void Crm::make_orders(crm::Database& database) {
  database.execute({table_of_orders(Server::postgresql), {}});
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
