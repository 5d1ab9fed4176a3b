// The databases that every test of this room runs against. A test is written once:
//   TEST_P(MyTests, KeepsItsPromise) { Database& database = open(); … }
//   INSTANTIATE_TEST_SUITE_P(Databases, MyTests, every_database(), server_name);
// with `class MyTests : public OnEveryDatabase {};`. Each test starts with an empty database.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "connectors/crm/driver/database.hpp"
#include "tests/support/database_server.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::crm {

using support::server_name;
using support::speaks_mysql;
using Server = support::DatabaseServer;

// The zone of each session, where they have one. Dates come and go as they are, whatever it is.
inline constexpr const char* kSessionZone = "America/St_Johns";

class OnEveryDatabase : public testing::TestWithParam<Server> {
 protected:
  OnEveryDatabase();

  // A new connection to this test's database; the fixture keeps it open until the test ends.
  Database& open();
  // The value of `[crm] connection`.
  const std::string& connection() const { return connection_; }

 private:
  support::TemporaryFolder folder_;
  std::string connection_;
  std::vector<std::unique_ptr<Database>> open_;
};

inline auto every_database() {
  return testing::Values(Server::sqlite, Server::postgresql, Server::odbc, Server::mariadb,
                         Server::mysql);
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
// A statement that lets a recursive query of this session count to 200,000; empty: it may.
std::string count_far(Dialect dialect);
// A statement that makes a session give up a locked row at once.
const char* no_patience(Dialect dialect);

}  // namespace surveybridge::crm
