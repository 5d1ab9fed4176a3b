#include "tests/crm/conformance.hpp"

#include "connectors/crm/dialect/traits.hpp"
#include "tests/support/mariadb_server.hpp"
#include "tests/support/servers.hpp"

namespace surveybridge::crm {

namespace {

// One database of the server for all tests and a schema for each test: creating a database takes a
// third of a second.
std::string make_schema_in(support::PostgresServer& server, const std::string& database) {
  static int schemas = 0;
  const std::string name = "test_" + std::to_string(++schemas);
  open_database(server.native(database))->execute({"CREATE SCHEMA " + name, {}});
  return name;
}

}  // namespace

OnEveryDatabase::OnEveryDatabase() {
  if (GetParam() == Server::sqlite) {
    connection_ = "sqlite3://" + folder_.path() + "/crm.db";
    return;
  }
  if (speaks_mysql(GetParam())) {
    auto& server = support::MariadbServer::shared(GetParam());
    connection_ = server.odbc(server.create_database());
    return;
  }
  auto& server = support::PostgresServer::shared();
  static const std::string database = server.create_database();
  const std::string schema = make_schema_in(server, database);
  connection_ = GetParam() == Server::odbc
                    ? server.odbc(database) + "ConnSettings={SET search_path TO " + schema + "};"
                    : server.native(database) + " options='-c search_path=" + schema + "'";
}

Database& OnEveryDatabase::open() {
  Database& database = *open_.emplace_back(open_database(connection_, kSessionZone));
  // A test needs no durability, and waiting for the disk would be most of its time.
  if (GetParam() == Server::sqlite) database.execute({"PRAGMA synchronous = OFF", {}});
  return database;
}

bool speaks_mysql(Dialect dialect) {
  return dialect == Dialect::mariadb || dialect == Dialect::mysql;
}

std::string stored(Dialect dialect, const std::string& parameter, const Value& value) {
  const auto in_session_zone = traits(dialect).in_session_zone;
  if (in_session_zone == nullptr || !std::holds_alternative<Instant>(value)) return parameter;
  return in_session_zone(parameter);
}

std::string count_far(Dialect dialect) {
  if (dialect == Dialect::mysql) return "SET cte_max_recursion_depth = 200000";
  return dialect == Dialect::mariadb ? "SET max_recursive_iterations = 200000" : "";
}

const char* no_patience(Dialect dialect) {
  if (dialect == Dialect::sqlite) return "PRAGMA busy_timeout = 1";
  if (dialect == Dialect::mysql) return "SET innodb_lock_wait_timeout = 1";  // the least
  return dialect == Dialect::mariadb ? "SET innodb_lock_wait_timeout = 0"
                                     : "SET lock_timeout = '10ms'";
}

}  // namespace surveybridge::crm
