// The databases that the tests of this room run against. A test is written once:
//   TEST_P(MyTests, KeepsItsPromise) { Database& database = open(); … }
//   INSTANTIATE_TEST_SUITE_P(Databases, MyTests, every_dialect(), server_name);
// with `class MyTests : public OnOurTables {};`, whose database has the bridge's tables, or `:
// public OnEveryDatabase`, whose database is empty. No test sees what another one has left.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "connectors/crm/driver/database.hpp"
#include "tests/support/database_server.hpp"

namespace surveybridge::crm {

using support::server_name;
using support::speaks_mysql;
using Server = support::DatabaseServer;

// The zone of each session, where they have one. Dates come and go as they are, whatever it is.
inline constexpr const char* kSessionZone = "America/St_Johns";

class Place;

class OnEveryDatabase : public testing::TestWithParam<Server> {
 protected:
  enum class Holds { nothing, our_tables };
  explicit OnEveryDatabase(Holds holds = Holds::nothing);
  ~OnEveryDatabase() override;

  // A new connection to this test's database; the fixture keeps it open until the test ends.
  Database& open();
  // The value of `[crm] connection`.
  const std::string& connection() const;

 private:
  std::unique_ptr<Place> place_;
  std::vector<std::unique_ptr<Database>> open_;
};

class OnOurTables : public OnEveryDatabase {
 protected:
  OnOurTables() : OnEveryDatabase(Holds::our_tables) {}
};

// On which databases a suite runs is decided by these. PostgreSQL by ODBC has the SQL of PostgreSQL
// and another driver: a suite that proves SQL runs without it, one about what a driver does
// (parameters, cells, errors, sessions) or about a room's way through it runs with it. MySQL has
// SQL, collations and limits of its own: it is in each set that has MariaDB.
inline auto every_dialect() {
  return testing::Values(Server::sqlite, Server::postgresql, Server::mariadb, Server::mysql);
}
inline auto every_database() {
  return testing::Values(Server::sqlite, Server::postgresql, Server::odbc, Server::mariadb,
                         Server::mysql);
}
// Each driver once: what takes long and has the same SQL everywhere.
inline auto every_driver() {
  return testing::Values(Server::sqlite, Server::postgresql, Server::mariadb);
}
inline auto every_postgresql() {
  return testing::Values(Server::postgresql, Server::odbc);
}
inline auto every_server() {
  return testing::Values(Server::postgresql, Server::odbc, Server::mariadb, Server::mysql);
}
inline auto every_mysql() {
  return testing::Values(Server::mariadb, Server::mysql);
}
bool speaks_mysql(Dialect dialect);
// A parameter as it is stored in a column of the CRM's: an instant of MariaDB's TIMESTAMP is shown
// by the session's clock.
std::string stored(Dialect dialect, const std::string& parameter, const Value& value);
// Lets a recursive query of this session count to 200,000.
void count_far(Database& session);
// A statement that makes a session give up a locked row at once.
const char* no_patience(Dialect dialect);
// An expression of a text that is longer than a cell may be; SQLite's and PostgreSQL's.
std::string too_large_text(Dialect dialect);

// The error of what has to fail.
DatabaseError error_of(const std::function<void()>& work);
// Its text; empty: nothing failed.
std::string refusal_of(const std::function<void()>& work);

// The first cell of a query's first row, as a number; the first cells of all rows.
std::int64_t number_in(Database& database, const std::string& sql);
std::vector<Value> cells_in(Database& database, const std::string& sql);

// A row of survey_push that was tried once, as the ledger itself would not write it.
void put_in_ledger(Database& database, const std::string& push, const std::string& key,
                   const std::string& state, Instant seen, Instant changed);

}  // namespace surveybridge::crm
