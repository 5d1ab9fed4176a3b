// What a session is opened for: one that only reads, and one that sees one schema only.
#include <gmock/gmock.h>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::crm {
namespace {

using testing::IsEmpty;

class SessionUses : public OnEveryDatabase {
 protected:
  std::int64_t rows() { return number_in(open(), "SELECT count(*) FROM t"); }
};
INSTANTIATE_TEST_SUITE_P(Databases, SessionUses, every_database(), server_name);

TEST_P(SessionUses, ThatReadRefuseEveryChange) {
  open().execute({"CREATE TABLE t (id integer)", {}});
  open().execute({"INSERT INTO t VALUES (1)", {}});
  const auto reader = open_database(connection(), kSessionZone, {.reads_only = true});
  for (const char* sql : {"INSERT INTO t VALUES (2)", "UPDATE t SET id = 3", "DELETE FROM t",
                          "CREATE TABLE other (id integer)"}) {
    EXPECT_THROW(reader->execute({sql, {}}), DatabaseError) << sql;
    EXPECT_EQ(rows(), 1) << sql;
  }
  EXPECT_EQ(reader->query({"SELECT id FROM t", {}}).rows.at(0).at(0), Value{std::int64_t{1}});
  Transaction transaction(*reader);
  EXPECT_THROW(reader->execute({"INSERT INTO t VALUES (2)", {}}), DatabaseError);
}

// A transaction that only reads must not keep the CRM's writers waiting.
TEST_P(SessionUses, ThatReadHoldUpNoWriter) {
  Database& writer = open();
  writer.execute({"CREATE TABLE t (id integer)", {}});
  const auto reader = open_database(connection(), kSessionZone, {.reads_only = true});
  Transaction reading(*reader);
  reader->query({"SELECT id FROM t", {}});
  writer.execute({no_patience(writer.dialect()), {}});
  writer.execute({"INSERT INTO t VALUES (2)", {}});
  EXPECT_EQ(rows(), 1);
}

class ServerSessionUses : public SessionUses {};
INSTANTIATE_TEST_SUITE_P(Databases, ServerSessionUses, every_server(), server_name);

TEST_P(ServerSessionUses, EndAStatementAfterTheLimitThatTheyAreGiven) {
  const auto limit_of = [](Database& database) {
    const std::string limit =
        database.dialect() == Dialect::mariadb ? "CAST(@@max_statement_time AS SIGNED)"
        : database.dialect() == Dialect::mysql
            ? "CAST(@@max_execution_time / 1000 AS SIGNED)"
            : "CAST(EXTRACT(EPOCH FROM CAST(current_setting('statement_timeout') AS interval)) AS"
              " bigint)";
    return number_in(database, "SELECT " + limit);
  };
  EXPECT_EQ(limit_of(open()), 60);
  const auto patient =
      open_database(connection(), kSessionZone, {.statement_timeout = std::chrono::minutes{5}});
  EXPECT_EQ(limit_of(*patient), 300);
}

// The statement would take a minute otherwise.
TEST_P(ServerSessionUses, EndAStatementThatWaitsLongerForALock) {
  Database& holder = open();
  holder.execute({"CREATE TABLE t (id integer)", {}});
  holder.execute({"INSERT INTO t VALUES (1)", {}});
  const auto hasty =
      open_database(connection(), kSessionZone, {.lock_timeout = std::chrono::seconds{1}});
  const auto fails_busy = [&](const char* sql) {
    const auto error = error_of([&] { hasty->execute({sql, {}}); });
    EXPECT_THAT(error.what(), testing::HasSubstr(": another session holds the lock"));
    return error.kind == DatabaseError::Kind::busy;
  };
  {
    const Transaction row(holder);
    holder.execute({"UPDATE t SET id = 2", {}});
    EXPECT_TRUE(fails_busy("UPDATE t SET id = 3"));
  }
  const bool is_mariadb = speaks_mysql(holder.dialect());
  const Transaction table(holder);
  holder.execute({is_mariadb ? "LOCK TABLES t WRITE" : "LOCK TABLE t", {}});
  EXPECT_TRUE(fails_busy("SELECT id FROM t"));
  EXPECT_TRUE(fails_busy("UPDATE t SET id = 4"));
  if (is_mariadb) holder.execute({"UNLOCK TABLES", {}});
}

TEST_P(ServerSessionUses, SeeTheTablesOfTheirSchemaOnly) {
  Database& outside = open();
  make_schema(outside);
  const Dialect dialect = outside.dialect();
  // MariaDB's schemas are the databases of the server.
  const std::string schema = speaks_mysql(dialect) ? "bridge_of_a_test" : "apart";
  outside.execute({"DROP SCHEMA IF EXISTS " + quoted(dialect, schema), {}});
  outside.execute({"CREATE SCHEMA " + quoted(dialect, schema), {}});
  const auto inside = open_database(connection(), kSessionZone, {.schema = schema});
  EXPECT_FALSE(has_table(*inside, "survey_push"));
  make_schema(*inside);
  EXPECT_THAT(missing_schema(*inside), IsEmpty());
  run_statement(*inside, R"(DELETE FROM "survey_seal")");
  EXPECT_THAT(query_rows(outside, R"(SELECT "name" FROM "survey_seal")"), testing::SizeIs(2))
      << "the tables outside are others";
  outside.execute(
      {"DROP SCHEMA " + quoted(dialect, schema) + (speaks_mysql(dialect) ? "" : " CASCADE"), {}});
}

TEST(SqliteSessions, TakeNoSchema) {
  const support::TemporaryFolder folder;
  EXPECT_THAT(error_of([&] {
                open_database("sqlite3://" + folder.path() + "/a.db", "UTC", {.schema = "apart"});
              }).what(),
              testing::HasSubstr("sqlite takes none"));
}

}  // namespace
}  // namespace surveybridge::crm
