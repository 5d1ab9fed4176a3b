// Servers that speak German: what is shown of their errors, and what follows from them.
#include <gmock/gmock.h>

#include "connectors/crm/driver/error_text.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/support/mariadb_server.hpp"
#include "tests/support/servers.hpp"

namespace surveybridge::crm {
namespace {

using support::MariadbServer;
using support::PostgresServer;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

void expect_no_address(Database& database, const std::vector<std::string>& statements) {
  for (const auto& sql : statements) {
    const auto error = error_of([&] { database.query({sql, {}}); });
    EXPECT_THAT(error.what(), AllOf(Not(HasSubstr("zoe")), Not(HasSubstr("example")),
                                    HasSubstr("SQLSTATE " + error.code.sqlstate)))
        << sql;
  }
}

class GermanPostgresql : public testing::TestWithParam<bool> {
 protected:
  static PostgresServer& server() {
    static PostgresServer german({"lc_messages=C.UTF-8"}, {"LANGUAGE=de"});
    return german;
  }
  std::string connection(const std::string& user, const std::string& database) const {
    const std::string port = std::to_string(server().port());
    return GetParam() ? "odbc://Driver=PostgreSQL Unicode;Server=127.0.0.1;Port=" + port +
                            ";Database=" + database + ";UID=" + user + ";PWD=wr0ng"
                      : "postgresql://host=127.0.0.1 port=" + port + " dbname=" + database +
                            " user=" + user + " password=wr0ng";
  }
};
INSTANTIATE_TEST_SUITE_P(Drivers, GermanPostgresql, testing::Bool(),
                         [](const auto& test) { return test.param ? "odbc" : "native"; });

TEST_P(GermanPostgresql, RefusesALoginByItsState) {
  for (const auto& [user, database, state] :
       {std::tuple{"locked", "postgres", "28P01"}, std::tuple{"nobody_there", "postgres", "28000"},
        std::tuple{"bridge", "no_such_database", "3D000"}}) {
    const auto error = error_of([&] { open_database(connection(user, database)); });
    EXPECT_EQ(error.kind, DatabaseError::Kind::connection) << user;
    EXPECT_EQ(error.code.sqlstate, state) << user;
    EXPECT_TRUE(is_login_refused(error)) << error.what();
    EXPECT_THAT(error.what(), Not(HasSubstr("wr0ng")));
  }
  server().sql("postgres", "CREATE DATABASE closed");
  server().sql("postgres", "REVOKE CONNECT ON DATABASE closed FROM PUBLIC");
  server().sql("postgres", "CREATE ROLE reader LOGIN");
  EXPECT_TRUE(is_login_refused(error_of([&] { open_database(connection("reader", "closed")); })));
  server().sql("postgres", "DROP DATABASE closed");
  server().sql("postgres", "DROP ROLE reader");
}

TEST_P(GermanPostgresql, ShowsNoValueOfARow) {
  const auto database = open_database(connection("bridge", "postgres"));
  EXPECT_THAT(error_of([&] {
                database->query({"SELECT * FROM nowhere", {}});
              }).what(),
              HasSubstr("existiert nicht"))
      << "it speaks German";
  database->execute({"CREATE TEMPORARY TABLE people (email text UNIQUE CHECK (email <> 'x'))", {}});
  database->execute({"INSERT INTO people VALUES ('zoe@example.test')", {}});
  expect_no_address(
      *database,
      {"SELECT CAST(email AS bigint) FROM people", "SELECT CAST(email AS date) FROM people",
       "SELECT CAST(email AS json) FROM people", "SELECT to_date(email, 'YYYY') FROM people",
       "SELECT date_trunc(email, now()) FROM people",
       "SELECT regexp_match('x', '(' || email) FROM people",
       "INSERT INTO people SELECT email FROM people"});
}

// Until the end of the test a session is told to speak German.
class GermanMariadb : public testing::Test {
 protected:
  GermanMariadb() { say("de_DE"); }
  ~GermanMariadb() override { say("en_US"); }
  void say(const std::string& language) {
    open_database(crm_)->execute({"SET GLOBAL lc_messages = '" + language + "'", {}});
  }
  std::string crm_ = MariadbServer::shared().odbc(MariadbServer::shared().create_database());
};

TEST_F(GermanMariadb, RefusesALoginByItsNumber) {
  const std::string socket = crm_.substr(0, crm_.find("UID="));
  for (const char* rest : {"UID=nobody;PWD=wr0ng;", "UID=root;DATABASE=no_such;"}) {
    const auto error = error_of([&] { open_database(socket + rest); });
    EXPECT_TRUE(is_login_refused(error)) << error.what();
  }
}

TEST_F(GermanMariadb, ShowsNoValueOfARow) {
  const auto database = open_database(crm_);
  EXPECT_THAT(error_of([&] {
                database->query({"SELECT * FROM nowhere", {}});
              }).what(),
              HasSubstr("existiert nicht"))
      << "it speaks German";
  database->execute({"CREATE TABLE people (email varchar(50) UNIQUE, n integer)", {}});
  database->execute({"INSERT INTO people (email) VALUES ('zoe@example.test')", {}});
  expect_no_address(*database,
                    {"UPDATE people SET n = email", "INSERT INTO people SELECT * FROM people",
                     "UPDATE people SET n = 1 WHERE CAST(email AS DATE) = email",
                     "UPDATE people SET email = REPEAT(email, 9)"});
}

}  // namespace
}  // namespace surveybridge::crm
