// A database that cannot be reached, disappears, and returns.
#include <filesystem>

#include <gmock/gmock.h>

#include "tests/crm/conformance.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/mariadb_server.hpp"
#include "tests/support/servers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::crm {
namespace {

using support::MariadbServer;
using support::PostgresServer;
using testing::HasSubstr;
using testing::Not;

class ConnectionTests : public OnEveryDatabase {
 protected:
  bool mariadb() const { return speaks_mysql(GetParam()); }
  // Ends an open session of a test, as an operator or a restart does.
  void cut(Database& database) {
    const std::string id = std::to_string(
        number_in(database, mariadb() ? "SELECT CONNECTION_ID()" : "SELECT pg_backend_pid()"));
    if (mariadb()) {
      open().execute({"KILL CONNECTION " + id, {}});
    } else {
      PostgresServer::shared().end_session(id);
    }
  }
  void stop_server() const {
    mariadb() ? MariadbServer::shared(GetParam()).stop() : PostgresServer::shared().stop();
  }
  void start_server() const {
    mariadb() ? MariadbServer::shared(GetParam()).start() : PostgresServer::shared().start();
  }
};
INSTANTIATE_TEST_SUITE_P(Databases, ConnectionTests, every_server(), server_name);

DatabaseError::Kind kind_of(const std::function<void()>& work) {
  return error_of(work).kind;
}

TEST_P(ConnectionTests, ConnectsAgainAfterItWasCut) {
  Database& database = open();
  cut(database);
  EXPECT_EQ(kind_of([&] { database.query({"SELECT 1", {}}); }), DatabaseError::Kind::connection);
  EXPECT_EQ(database.query({"SELECT 1", {}}).rows.size(), 1u);
}

TEST_P(ConnectionTests, DoesNotGoOnWithATransactionThatWasCut) {
  Database& database = open();
  database.execute({"CREATE TABLE t (id INTEGER)", {}});
  database.begin();
  database.execute({"INSERT INTO t (id) VALUES (1)", {}});
  cut(database);
  EXPECT_EQ(kind_of([&] {
              database.execute({"INSERT INTO t (id) VALUES (2)", {}});
            }),
            DatabaseError::Kind::connection);
  EXPECT_EQ(kind_of([&] {
              database.execute({"INSERT INTO t (id) VALUES (3)", {}});
            }),
            DatabaseError::Kind::other);
  EXPECT_EQ(kind_of([&] { database.commit(); }), DatabaseError::Kind::other);
  database.rollback();
  EXPECT_TRUE(database.query({"SELECT id FROM t", {}}).rows.empty());
}

TEST_P(ConnectionTests, SaysThatACommitOverACutConnectionFailed) {
  Database& database = open();
  database.execute({"CREATE TABLE t (id INTEGER)", {}});
  database.begin();
  database.execute({"INSERT INTO t (id) VALUES (1)", {}});
  cut(database);
  EXPECT_EQ(kind_of([&] { database.commit(); }), DatabaseError::Kind::connection);
  database.rollback();
  EXPECT_TRUE(database.query({"SELECT id FROM t", {}}).rows.empty());
}

TEST_P(ConnectionTests, PreparesAgainAfterItWasCut) {
  Database& database = open();
  database.execute({"CREATE TABLE t (id INTEGER)", {}});
  const std::vector<std::vector<Value>> rows = {{std::int64_t{1}}, {std::int64_t{2}}};
  const std::string insert = "INSERT INTO t (id) VALUES (:p1)";
  EXPECT_EQ(database.execute_each(insert, rows), 2);
  cut(database);
  EXPECT_EQ(kind_of([&] { database.execute_each(insert, rows); }), DatabaseError::Kind::connection);
  EXPECT_EQ(database.execute_each(insert, rows), 2);
}

TEST_P(ConnectionTests, ComesBackWithTheServer) {
  Database& database = open();
  stop_server();
  EXPECT_EQ(kind_of([&] { database.now(); }), DatabaseError::Kind::connection);
  EXPECT_EQ(kind_of([&] { database.now(); }), DatabaseError::Kind::connection);
  EXPECT_EQ(kind_of([&] { database.begin(); }), DatabaseError::Kind::connection);
  EXPECT_EQ(kind_of([&] { open(); }), DatabaseError::Kind::connection);
  start_server();
  EXPECT_NO_THROW(database.now());
  EXPECT_NO_THROW(Transaction(database).commit());
}

TEST(SqliteConnection, NoticesThatItsFileWasMovedAwayOrReplaced) {
  namespace fs = std::filesystem;
  const support::TemporaryFolder folder;
  const std::string path = folder.path() + "/crm.db", away = folder.path() + "/away.db";
  const auto made = [](const std::string& file, const std::string& value) {
    auto database = open_database("sqlite3://" + file);
    database->execute({"CREATE TABLE t (x TEXT)", {}});
    database->execute({"INSERT INTO t (x) VALUES (:p1)", {value}});
    return database;
  };
  auto database = made(path, "first");
  const auto read = [&] { return database->query({"SELECT x FROM t", {}}).rows.at(0).at(0); };
  for (const char* end : {"", "-wal", "-shm"})
    fs::rename(path + end, away + end);
  EXPECT_EQ(kind_of(read), DatabaseError::Kind::connection);
  EXPECT_EQ(kind_of([&] { database->begin(); }), DatabaseError::Kind::connection);
  EXPECT_FALSE(fs::exists(path)) << "no empty file is made";
  made(path, "another");
  EXPECT_EQ(read(), Value(std::string("another")));
  {
    Transaction transaction(*database);
    fs::remove(path);
    EXPECT_EQ(read(), Value(std::string("another"))) << "a transaction ends where it began";
  }
  EXPECT_EQ(kind_of(read), DatabaseError::Kind::connection);
}

class PostgresqlConnections : public ConnectionTests {};
INSTANTIATE_TEST_SUITE_P(Databases, PostgresqlConnections, every_postgresql(), server_name);

TEST(MariadbConnection, SpeaksUtcAndSeesWhatOthersCommitWhateverTheServerIsTold) {
  auto& server = support::MariadbServer::shared();
  const std::string connection = server.odbc(server.create_database());
  auto other = open_database(connection);
  other->execute({"SET GLOBAL time_zone = '+05:45'", {}});
  other->execute({"SET GLOBAL tx_isolation = 'SERIALIZABLE'", {}});
  other->execute({"SET GLOBAL max_join_size = 1000", {}});
  auto database = open_database(connection);
  other->execute({"SET GLOBAL max_join_size = DEFAULT", {}});
  other->execute({"SET GLOBAL time_zone = 'SYSTEM'", {}});
  other->execute({"SET GLOBAL tx_isolation = 'REPEATABLE-READ'", {}});
  const Result result = database->query(
      {"SELECT @@time_zone, @@tx_isolation, FROM_UNIXTIME(0) = '1970-01-01 00:00:00',"
       " CAST(@@sql_big_selects AS SIGNED)",
       {}});
  EXPECT_EQ(result.rows[0][0], Value(std::string("+00:00")));
  EXPECT_EQ(result.rows[0][1], Value(std::string("READ-COMMITTED")));
  EXPECT_EQ(result.rows[0][2], Value(std::int64_t{1}));
  EXPECT_EQ(result.rows[0][3], Value(std::int64_t{1})) << "max_join_size refuses no statement";
}

TEST_P(PostgresqlConnections, SpeakUtcWhateverTheServerSpeaks) {
  PostgresServer::shared().sql("postgres",
                               "ALTER ROLE bridge SET TIME ZONE 'Asia/Kathmandu';"
                               "ALTER ROLE bridge SET datestyle = 'German'");
  Database& database = open();
  const Result result =
      database.query({"SELECT CAST('2026-03-29 02:30:00+02' AS timestamptz)", {}});
  PostgresServer::shared().sql("postgres", "ALTER ROLE bridge RESET ALL");
  using namespace std::chrono;
  EXPECT_EQ(result.rows[0][0], Value(Instant(sys_days(2026y / March / 29) + minutes(30))));
}

// Expects a refused password and a message without the password.
void expect_refused(const std::string& connection) {
  const auto error = error_of([&] { open_database(connection); });
  EXPECT_EQ(error.kind, DatabaseError::Kind::connection);
  EXPECT_THAT(error.what(), HasSubstr("locked"));
  EXPECT_THAT(error.what(), Not(HasSubstr("wr0ng")));
}

TEST_P(PostgresqlConnections, TakeAPasswordAndNeverShowIt) {
  auto& server = PostgresServer::shared();
  const std::string port = std::to_string(server.port());
  const bool odbc = GetParam() == Server::odbc;
  const std::string front =
      odbc ? "odbc://Driver=PostgreSQL Unicode;Server=127.0.0.1;Database=postgres;Port=" + port +
                 ";UID=locked;PWD="
           : "postgresql://host=127.0.0.1 dbname=postgres port=" + port + " user=locked password=";
  EXPECT_NO_THROW(open_database(front + "s3cret!"));
  expect_refused(front + "wr0ng");
}

TEST(PostgresqlConnection, TakesAUri) {
  auto& server = PostgresServer::shared();
  const std::string at = "@127.0.0.1:" + std::to_string(server.port()) + "/postgres";
  EXPECT_NO_THROW(open_database("postgresql://locked:s3cret%21" + at + "?connect_timeout=5"));
  EXPECT_NO_THROW(open_database("postgres://bridge" + at));
  EXPECT_NO_THROW(open_database("postgresql://bridge@/postgres?host=" + server.folder() +
                                "&port=" + std::to_string(server.port())));
  expect_refused("postgresql://locked:wr0ng" + at);
}

TEST(PostgresqlConnection, RefusesATextThatIsNoneAndShowsNoneOfIt) {
  for (const char* text :
       {"postgresql://host=/tmp password=my wr0ng", "postgresql://u:wr0ng@h:x%/d",
        "postgresql://host=h no_such_word=wr0ng", "postgresql://host='wr0ng"}) {
    const auto error = error_of([&] { open_database(text); });
    EXPECT_EQ(error.kind, DatabaseError::Kind::connection) << text;
    EXPECT_THAT(error.what(), Not(HasSubstr("wr0ng")));
  }
}

TEST(PostgresqlConnection, NamesAKeyThatIsMisspelt) {
  for (const char* text : {"postgresql://host=/run/x prot=5544 dbname=crm",
                           "postgresql://host.example.com/crm?prot=5544"})
    EXPECT_STREQ(error_of([&] { open_database(text); }).what(),
                 "connection: there is no \"prot\" (did you mean \"port\"?)")
        << text;
}

TEST(SqliteConnection, SaysWhatIsNotThere) {
  EXPECT_EQ(kind_of([] { open_database("sqlite3:///no/such/folder/crm.db"); }),
            DatabaseError::Kind::connection);
  support::TemporaryFolder folder;
  const std::string file = folder.write("crm.db", std::string(5000, 'x'));
  EXPECT_EQ(kind_of([&] { open_database("sqlite3://" + file); }), DatabaseError::Kind::connection);
}

TEST(SqliteConnection, RefusesTextsInUtf16) {
  const support::TemporaryFolder folder;
  const std::string path = folder.path() + "/crm.db";
  const auto made = support::run(
      {{"sqlite3", path, "PRAGMA encoding = 'UTF-16le'; CREATE TABLE orders (id TEXT)"}, {}});
  ASSERT_EQ(made.status, 0) << made.err;
  const auto error = error_of([&] { open_database("sqlite3://" + path); });
  EXPECT_EQ(error.kind, DatabaseError::Kind::other);
  EXPECT_THAT(error.what(), HasSubstr("UTF-16le, and only UTF-8 is read"));
}

TEST(SqliteConnection, OpensAnyPath) {
  support::TemporaryFolder folder;
  for (const char* name : {"plain", "with blank", "a=b", "a=b  c=d e", "synchronous=off"}) {
    const std::string path = folder.path() + "/" + name;
    open_database("sqlite3://" + path)->execute({"CREATE TABLE t (id INTEGER)", {}});
    EXPECT_EQ(support::read_file(path).substr(0, 6), "SQLite") << name;
  }
}

TEST(SqliteConnection, KeepsAWriteAheadLogAndForeignKeys) {
  support::TemporaryFolder folder;
  auto database = open_database("sqlite3://" + folder.path() + "/crm.db");
  const auto setting = [&](const char* name) {
    return database->query({std::string("PRAGMA ") + name, {}}).rows.at(0).at(0);
  };
  EXPECT_EQ(setting("journal_mode"), Value(std::string("wal")));
  EXPECT_EQ(setting("foreign_keys"), Value(std::int64_t{1}));
  EXPECT_EQ(setting("busy_timeout"), Value(std::int64_t{5000}));
  EXPECT_EQ(setting("synchronous"), Value(std::int64_t{2}));
}

}  // namespace
}  // namespace surveybridge::crm
