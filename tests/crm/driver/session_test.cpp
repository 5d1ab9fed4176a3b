// What a new session is told, whatever the server's own settings are, and what it is opened for.
#include <chrono>

#include <gmock/gmock.h>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/support/servers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::crm {
namespace {

using testing::IsEmpty;

std::string text_of(Database& database, const std::string& sql) {
  const Value cell = database.query({sql, {}}).rows.at(0).at(0);
  const auto* text = std::get_if<std::string>(&cell);
  return text == nullptr ? "no text" : *text;
}

class PostgresqlSessions : public OnEveryDatabase {
 protected:
  void of_database(const std::string& setting) {
    open().execute({"DO $$ BEGIN EXECUTE format('ALTER DATABASE %I " + setting +
                        "', current_database()); END $$",
                    {}});
  }
  // The server ends this session before half a minute is over.
  bool ends(const std::string& pid) {
    Database& other = open();
    const std::string there =
        "SELECT CAST(count(*) AS text) FROM pg_stat_activity WHERE pid = " + pid;
    for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
         std::chrono::steady_clock::now() < end;)
      if (text_of(other, there) == "0") return true;
    return false;
  }
};
INSTANTIATE_TEST_SUITE_P(Databases, PostgresqlSessions, every_postgresql(), server_name);

TEST_P(PostgresqlSessions, WaitForTheDiskThoughTheDatabaseDoesNot) {
  of_database("SET synchronous_commit = off");
  EXPECT_EQ(text_of(open(), "SHOW synchronous_commit"), "on");
  of_database("RESET synchronous_commit");
}

// Otherwise each key would be another one, and mailed again.
TEST_P(PostgresqlSessions, WriteTheSameTextsWhateverTheDatabaseSays) {
  const std::string sql =
      "SELECT CAST(INTERVAL '1 day 2 hours' AS text), CAST(DATE '2026-02-03' AS text),"
      " CAST(CAST('{NULL}' AS text[]) AS text), quote_ident('a'), CAST(NULL = NULL AS text),"
      " CAST(CAST(1 AS double precision) / 3 AS text), CAST(CAST('A1' AS bytea) AS text),"
      " current_setting('xmlbinary'), current_setting('xmloption'),"
      " current_setting('lc_numeric'), current_setting('lc_time')";
  const auto before = open().query({sql, {}}).rows;
  for (const char* odd : {"IntervalStyle = iso_8601", "DateStyle = German", "array_nulls = off",
                          "quote_all_identifiers = on", "transform_null_equals = on",
                          "extra_float_digits = -3", "bytea_output = escape", "xmlbinary = hex",
                          "xmloption = document", "lc_numeric = \"POSIX\"", "lc_time = \"POSIX\""})
    of_database(std::string("SET ") + odd);
  const auto after = open().query({sql, {}}).rows;
  of_database("RESET ALL");
  EXPECT_EQ(after, before);
}

// The end of the session that holds the leases is taken for the end of its process.
TEST_P(PostgresqlSessions, StayThoughTheDatabaseEndsThoseThatAreIdle) {
  const char* known = "SELECT COUNT(*) FROM pg_settings WHERE name = 'idle_session_timeout'";
  if (number_in(open(), known) == 0) return;  // a server before 14 ends none
  of_database("SET idle_session_timeout = 60000");
  EXPECT_EQ(text_of(open(), "SHOW idle_session_timeout"), "0");
  of_database("RESET idle_session_timeout");
}

TEST_P(PostgresqlSessions, AreEndedWhereATransactionIsForgotten) {
  EXPECT_EQ(text_of(open(), "SHOW idle_in_transaction_session_timeout"), "1min");
  Database& database = open();
  const std::string pid = text_of(database, "SELECT CAST(pg_backend_pid() AS text)");
  database.query({"SELECT set_config('idle_in_transaction_session_timeout', '50ms', false)", {}});
  database.begin();
  database.query({"SELECT 1", {}});  // psqlodbc begins with the first statement
  EXPECT_TRUE(ends(pid));
  const auto error = error_of([&] { database.query({"SELECT 1", {}}); });
  EXPECT_EQ(error.kind, DatabaseError::Kind::connection) << error.what();
  database.rollback();
  EXPECT_EQ(text_of(database, "SELECT CAST(1 AS text)"), "1");
}

TEST_P(PostgresqlSessions, TakeAReadOnlyServerForOneThatIsNotThere) {
  Database& database = open();
  database.query({"SELECT set_config('default_transaction_read_only', 'on', false)", {}});
  const auto make = [&] { database.execute({"CREATE TABLE t (id integer)", {}}); };
  const auto error = error_of(make);
  EXPECT_EQ(error.kind, DatabaseError::Kind::connection) << error.what();
  make();  // by a new session
}

// Of a database that holds no emoji: the page with one must not stop its list.
TEST(Latin1Database, StoresAQuestionMarkForWhatItCannotHold) {
  auto& server = support::PostgresServer::shared();
  const std::string name = server.create_database("LATIN1");
  for (const auto& connection : {server.native(name), server.odbc(name)}) {
    const auto database = open_database(connection);
    EXPECT_EQ(
        database->query({"SELECT CAST(:p1 AS text)", {std::string("Zoë 👍 Łódź")}}).rows.at(0).at(0),
        Value(std::string("Zoë ? ?ód?")));
  }
}

constexpr std::int64_t kKathmandu = (5 * 60 + 45) * 60;  // seconds ahead of UTC, all the year

TEST_P(PostgresqlSessions, ShowTheClockOfTheCrm) {
  const std::string ahead =
      "SELECT CAST(EXTRACT(EPOCH FROM localtimestamp - (now() AT TIME ZONE 'UTC')) AS integer)";
  EXPECT_EQ(number_in(*open_database(connection(), "Asia/Kathmandu"), ahead), kKathmandu);
  EXPECT_EQ(number_in(*open_database(connection()), ahead), 0);
}

TEST(PostgresqlSession, SaysThatTheServerDoesNotKnowTheZone) {
  auto& server = support::PostgresServer::shared();
  EXPECT_STREQ(
      error_of([&] { open_database(server.native("postgres"), "Europe/Atlantis"); }).what(),
      "crm.time_zone: the server does not know the zone \"Europe/Atlantis\"");
}

TEST_P(PostgresqlSessions, WriteInstantsOfBeforeThereWereZones) {
  const auto database = open_database(connection(), "Europe/Amsterdam");
  const auto cell = database->query({"SELECT CAST('1900-01-01 12:00:00+00' AS timestamptz)", {}});
  using namespace std::chrono;
  EXPECT_EQ(cell.rows.at(0).at(0), Value(Instant(sys_days(1900y / January / 1) + 12h)));
}

class MariadbSessions : public OnEveryDatabase {};
INSTANTIATE_TEST_SUITE_P(Databases, MariadbSessions, every_mysql(), server_name);

TEST_P(MariadbSessions, ShowTheClockOfTheCrm) {
  const std::string ahead = "SELECT TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), NOW())";
  EXPECT_EQ(number_in(*open_database(connection(), "Asia/Kathmandu"), ahead), kKathmandu);
  EXPECT_EQ(number_in(*open_database(connection()), ahead), 0);
}

TEST_P(MariadbSessions, RefuseWhatDoesNotFitThoughTheServerCutsIt) {
  open().execute({"SET GLOBAL sql_mode = ''", {}});
  Database& database = open();
  open().execute({"SET GLOBAL sql_mode = DEFAULT", {}});
  database.execute({"CREATE TABLE t (status varchar(4))", {}});
  EXPECT_THROW(database.execute({"INSERT INTO t VALUES ('Finished')", {}}), DatabaseError);
}

TEST_P(MariadbSessions, KeepAnEmptyTextThoughTheServerTakesItForNull) {
  if (GetParam() == Server::mysql) return;  // it has no such mode
  open().execute({"SET GLOBAL sql_mode = 'EMPTY_STRING_IS_NULL'", {}});
  Database& database = open();
  open().execute({"SET GLOBAL sql_mode = DEFAULT", {}});
  database.execute({"CREATE TABLE t (owner varchar(4) NOT NULL)", {}});
  database.execute({"INSERT INTO t VALUES (:p1)", {Value{std::string()}}});
  EXPECT_EQ(number_in(database, "SELECT COUNT(*) FROM t WHERE owner = ''"), 1);
  EXPECT_THROW(database.execute({"INSERT INTO t VALUES ('too long')", {}}), DatabaseError);
}

// Otherwise each key would be another one, and mailed again.
TEST_P(MariadbSessions, WriteTheSameTextsWhateverTheServerSays) {
  Database& database = open();
  database.execute({"CREATE TABLE t (c char(10), n integer, d date)", {}});
  database.execute({"INSERT INTO t VALUES ('A1', 1, '2026-03-01'), ('A2', 2, '2026-03-01')", {}});
  const std::string sql =
      "SELECT CONCAT(c, '-'), CONCAT(\"c\", '-'), CAST(n / 3 AS CHAR), DATE_FORMAT(d, '%M'),"
      " WEEK(d), NOT n BETWEEN -5 AND 5, 'a\\nb', CAST('10:00:00.9' AS TIME),"
      " 'ab' REGEXP 'a b', (SELECT GROUP_CONCAT(c ORDER BY c) FROM t) FROM t ORDER BY c";
  const auto before = database.query({sql, {}}).rows;
  const bool mysql = GetParam() == Server::mysql;
  const std::string modes =
      "'PAD_CHAR_TO_FULL_LENGTH,ANSI_QUOTES,NO_BACKSLASH_ESCAPES,HIGH_NOT_PRECEDENCE,TIME_";
  std::vector<std::pair<std::string, std::string>> odd = {
      {"sql_mode", modes + (mysql ? "TRUNCATE" : "ROUND") + "_FRACTIONAL'"},
      {"div_precision_increment", "8"},
      {"default_week_format", "5"},
      {"lc_time_names", "'de_DE'"},
      {"group_concat_max_len", "4"},
      {"sql_select_limit", "1"}};
  if (!mysql) odd.emplace_back("default_regex_flags", "'EXTENDED'");
  for (const auto& [name, value] : odd)
    database.execute({"SET GLOBAL " + name + " = " + value, {}});
  const auto after = open().query({sql, {}}).rows;
  for (const auto& [name, value] : odd)
    database.execute({"SET GLOBAL " + name + " = DEFAULT", {}});
  EXPECT_EQ(after, before);
}

// The bridge updates a table of the CRM by the columns that the configuration names.
TEST_P(MariadbSessions, WriteWithoutAnIndexThoughTheServerForbidsIt) {
  open().execute({"SET GLOBAL sql_safe_updates = 1", {}});
  Database& database = open();
  open().execute({"SET GLOBAL sql_safe_updates = DEFAULT", {}});
  database.execute({"CREATE TABLE t (n int)", {}});
  database.execute({"INSERT INTO t VALUES (1)", {}});
  EXPECT_NO_THROW(database.execute({"UPDATE t SET n = 2 WHERE n = 1", {}}));
}

TEST_P(MariadbSessions, EndAStatementThatTakesTooLong) {
  Database& database = open();
  const bool mysql = GetParam() == Server::mysql;
  EXPECT_EQ(number_in(database, mysql ? "SELECT @@max_execution_time"
                                      : "SELECT CAST(@@max_statement_time AS SIGNED)"),
            mysql ? 60'000 : 60);
  database.execute({mysql ? "SET max_execution_time = 50, cte_max_recursion_depth = 100000000"
                          : "SET max_statement_time = 0.05, max_recursive_iterations = 100000000",
                    {}});
  const auto error = error_of([&] {
    database.query(
        {"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
         " WHERE i < 100000000) SELECT COUNT(*) FROM n",
         {}});
  });
  EXPECT_EQ(error.kind, DatabaseError::Kind::busy) << error.what();
}

// The server's own limit is a year, and no other ends a statement of MySQL's that writes.
TEST_P(MariadbSessions, WaitAMinuteForATableAtMost) {
  if (GetParam() != Server::mysql) return;
  Database& database = open();
  const auto limit = [&] { return number_in(database, "SELECT @@lock_wait_timeout"); };
  EXPECT_EQ(limit(), 60);
  database.execute({std::string(traits(Dialect::mysql).short_lock_wait), {}});
  database.execute({std::string(traits(Dialect::mysql).usual_lock_wait), {}});
  EXPECT_EQ(limit(), 60);
}

TEST_P(MariadbSessions, AreBusyWhereAnotherChangedATableMeanwhile) {
  Database& database = open();
  database.execute({"SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ", {}});
  open().execute({"CREATE TABLE seen (id int)", {}});
  const Transaction transaction(database);
  database.query({"SELECT id FROM seen", {}});
  open().execute({"CREATE TABLE later (id int)", {}});
  const auto error = error_of([&] { database.query({"SELECT id FROM later", {}}); });
  EXPECT_EQ(error.kind, DatabaseError::Kind::busy) << error.what();
}

TEST_P(MariadbSessions, SeeWhatOthersCommit) {
  const std::string name = GetParam() == Server::mysql ? "transaction_isolation" : "tx_isolation";
  EXPECT_EQ(text_of(open(), "SELECT @@" + name), "READ-COMMITTED");
}

// Our text next to the CRM's own: a report joins both.
TEST_P(MariadbSessions, MakeTablesInTheDatabasesOwnCollation) {
  open().execute({"ALTER DATABASE CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci", {}});
  Database& database = open();
  make_schema(database);
  database.execute({"CREATE TABLE orders (number varchar(20))", {}});
  EXPECT_NO_THROW(database.query(
      {"SELECT 1 FROM orders JOIN survey_customer ON survey_customer.email = orders.number", {}}));
}

class Looks : public OnEveryDatabase {};
INSTANTIATE_TEST_SUITE_P(Databases, Looks, every_database(), server_name);

TEST_P(Looks, SayWhichDatabaseThisIs) {
  const std::string sql(traits(open().dialect()).database_name);
  const std::string name = text_of(open(), sql);
  EXPECT_NE(name, "");
  EXPECT_NE(connection().find(name), std::string::npos) << name;
  EXPECT_EQ(text_of(*open_database("sqlite3://:memory:"),
                    std::string(traits(Dialect::sqlite).database_name)),
            "");
}

TEST_P(Looks, MakeNoTableThatStays) {
  Database& database = open();
  const std::size_t missing = missing_schema(database).size();
  ASSERT_GT(missing, 10u);
  {
    const Transaction never_committed(database);
    for (const auto& statement : missing_schema_for_a_look(database))
      database.execute({statement, {}});
    EXPECT_EQ(database.query({"SELECT * FROM survey_push", {}}).rows.size(), 0u);
  }
  EXPECT_EQ(missing_schema(open()).size(), missing);
}

TEST_P(Looks, TellWhatTheDatabaseMayLose) {
  const auto gaps = durability_gaps(open());
  if (GetParam() == Server::sqlite || speaks_mysql(GetParam())) {
    EXPECT_THAT(gaps, testing::IsEmpty());
  } else {  // the server of the tests
    EXPECT_THAT(gaps, testing::Contains(testing::HasSubstr("fsync is off")));
  }
}

TEST_P(MariadbSessions, TellThatTheServerWritesItsLogLate) {
  open().execute({"SET GLOBAL innodb_flush_log_at_trx_commit = 2", {}});
  EXPECT_THAT(durability_gaps(open()),
              testing::ElementsAre(testing::HasSubstr("innodb_flush_log_at_trx_commit is 2")));
  open().execute({"SET GLOBAL innodb_flush_log_at_trx_commit = 1", {}});
}

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
