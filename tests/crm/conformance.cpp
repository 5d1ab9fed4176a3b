#include "tests/crm/conformance.hpp"

#include <filesystem>
#include <map>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "tests/support/mariadb_server.hpp"
#include "tests/support/servers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::crm {

// Where a test's tables are; given back at its end.
class Place {
 public:
  virtual ~Place() = default;
  std::string connection;
};

namespace {

using support::MariadbServer;
using support::PostgresServer;
using support::TemporaryFolder;
using Shapes = std::map<std::string, std::string>;  // by table

std::string next_name() {
  static int names = 0;
  return "test_" + std::to_string(++names);
}

// A session beside those of the tests. One of them may have stopped the server in between.
class Aside {
 public:
  explicit Aside(const std::string& connection)
      : session_(open_database(connection, "UTC", {.lock_timeout = std::chrono::seconds{20}})) {}
  void run(const std::string& sql) {
    try {
      session_->execute({sql, {}});
    } catch (const DatabaseError& error) {
      if (error.kind != DatabaseError::Kind::connection) throw;
      session_->execute({sql, {}});
    }
  }
  // At the end of a test. What cannot be removed stays until the server ends.
  void try_to(const std::string& sql) {
    try {
      run(sql);
    } catch (const DatabaseError&) {
      return;
    }
  }
  Database& session() { return *session_; }

 private:
  std::unique_ptr<Database> session_;
};

// A database of MariaDB or MySQL that one test after the other gets, since to make the bridge's
// tables takes MySQL half a second. Behind each test it is made what it was.
class Reused {
 public:
  Reused(MariadbServer& server, bool has_tables)
      : name(server.create_database()), has_tables_(has_tables), aside_(server.odbc(name)) {
    if (!has_tables) return;
    make_schema(session());
    made_ = shapes();
    seals_ = session().query({"SELECT name, value FROM survey_seal", {}}).rows;
  }

  // What a test has made goes, and tables of ours whose columns it has changed, which are made
  // anew. The others are emptied.
  void restore() {
    aside_.run("SET foreign_key_checks = 0");
    aside_.run("ALTER DATABASE CHARACTER SET utf8mb4");
    drop("VIEW", cells_in(session(), kViews));
    const Shapes there = shapes();
    std::vector<Value> changed;
    std::string filled;
    for (const auto& [table, shape] : there) {
      const auto made = made_.find(table);
      if (made == made_.end() || made->second != shape) {
        changed.emplace_back(table);
        continue;
      }
      filled += (filled.empty() ? "SELECT '" : " UNION ALL SELECT '") + table +
                "' FROM DUAL WHERE EXISTS (SELECT 1 FROM " + in_quotes(table) + ")";
    }
    drop("TABLE", changed);
    if (!has_tables_) return;
    for (const auto& table : cells_in(session(), filled))
      aside_.run("TRUNCATE TABLE " + in_quotes(text_in(table)));
    if (!changed.empty() || there.size() < made_.size()) return make_schema(session());
    session().execute_each("INSERT INTO survey_seal (name, value) VALUES (:p1, :p2)", seals_);
  }

  const std::string name;

 private:
  static constexpr const char* kViews =
      "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
      " AND table_type = 'VIEW'";

  static std::string in_quotes(const std::string& table) { return quoted(Dialect::mariadb, table); }
  Database& session() { return aside_.session(); }

  void drop(const std::string& what, const std::vector<Value>& names) {
    std::string all;
    for (const auto& each : names)
      all += (all.empty() ? "DROP " + what + " " : ", ") + in_quotes(text_in(each));
    if (!all.empty()) aside_.run(all);
  }

  // The columns of each table, in words.
  Shapes shapes() {
    Shapes all;
    const auto columns = session().query(
        {"SELECT table_name, CONVERT(GROUP_CONCAT(CONCAT_WS(' ', column_name, column_type,"
         " is_nullable, collation_name, column_comment) ORDER BY ordinal_position) USING utf8mb4)"
         " FROM information_schema.columns WHERE table_schema = DATABASE() GROUP BY table_name",
         {}});
    for (const auto& row : columns.rows)
      all.emplace(text_in(row.at(0)), text_in(row.at(1)));
    return all;
  }

  bool has_tables_;
  Aside aside_;
  Shapes made_;
  std::vector<std::vector<Value>> seals_;
};

// What the tests of this process share. It ends before the servers that were asked for before it.
template <typename State>
class Shared : public testing::Environment {
 public:
  void TearDown() override { state = State(); }
  State state;
};

template <typename State>
State& shared() {
  static auto* const holder = static_cast<Shared<State>*>(
      testing::AddGlobalTestEnvironment(new Shared<State>));  // gtest deletes it
  return holder->state;
}

struct OfSqlite {
  std::unique_ptr<TemporaryFolder> folder;

  // A file with the bridge's tables.
  std::string tables() {
    const bool is_made = folder != nullptr;
    if (!is_made) folder = std::make_unique<TemporaryFolder>(TemporaryFolder::Place::memory);
    const std::string file = folder->path() + "/tables.db";
    if (!is_made) make_schema(*open_database("sqlite3://" + file));
    return file;
  }
};

struct OfPostgresql {
  PostgresServer* server = nullptr;
  std::string home;  // a schema of it is the place of a test that begins with nothing
  std::unique_ptr<Aside> aside;
  std::string with_tables;

  // A database with the bridge's tables. It cannot be copied while a session is in it.
  const std::string& tables() {
    if (!with_tables.empty()) return with_tables;
    const std::string made = server->create_database();
    make_schema(*open_database(server->native(made)));
    return with_tables = made;
  }
};

OfPostgresql& of_postgresql() {
  auto& server = PostgresServer::shared();
  auto& state = shared<OfPostgresql>();
  if (state.server == nullptr) {
    const std::string home = server.create_database();
    state = {&server, home, std::make_unique<Aside>(server.native(home)), ""};
  }
  return state;
}

// Those that no test has at present.
std::unique_ptr<Reused>& free_database(Server which, bool has_tables) {
  return shared<std::map<std::pair<Server, bool>, std::unique_ptr<Reused>>>()[{which, has_tables}];
}

class InSqlite final : public Place {
 public:
  explicit InSqlite(bool has_tables) {
    const std::string file = folder_.path() + "/crm.db";
    if (has_tables) std::filesystem::copy_file(shared<OfSqlite>().tables(), file);
    connection = "sqlite3://" + file;
  }

 private:
  TemporaryFolder folder_{TemporaryFolder::Place::memory};
};

// What many tests before had left would make each look into the catalogue slower.
class InPostgresql final : public Place {
 public:
  InPostgresql(Server driver, bool has_tables) : has_tables_(has_tables) {
    auto& of = of_postgresql();
    const bool odbc = driver == Server::odbc;
    of.aside->run(has_tables ? "CREATE DATABASE " + name_ + " TEMPLATE " + of.tables()
                             : "CREATE SCHEMA " + name_);
    const std::string& database = has_tables ? name_ : of.home;
    connection = odbc ? of.server->odbc(database) : of.server->native(database);
    if (has_tables) return;
    connection += odbc ? "ConnSettings={SET search_path TO " + name_ + "};"
                       : " options='-c search_path=" + name_ + "'";
  }
  ~InPostgresql() override {
    of_postgresql().aside->try_to(has_tables_ ? "DROP DATABASE " + name_ + " WITH (FORCE)"
                                              : "DROP SCHEMA " + name_ + " CASCADE");
  }

 private:
  bool has_tables_;
  std::string name_ = next_name();
};

class InMysql final : public Place {
 public:
  InMysql(Server which, bool has_tables) : which_(which), has_tables_(has_tables) {
    auto& server = MariadbServer::shared(which);
    database_ = std::move(free_database(which, has_tables));
    if (!database_) database_ = std::make_unique<Reused>(server, has_tables);
    connection = server.odbc(database_->name);
  }
  // One that cannot be restored is given up, and the next test makes another.
  ~InMysql() override {
    try {
      database_->restore();
    } catch (const DatabaseError&) {
      return;
    }
    free_database(which_, has_tables_) = std::move(database_);
  }

 private:
  Server which_;
  bool has_tables_;
  std::unique_ptr<Reused> database_;
};

std::unique_ptr<Place> place_for(Server server, bool has_tables) {
  if (server == Server::sqlite) return std::make_unique<InSqlite>(has_tables);
  if (speaks_mysql(server)) return std::make_unique<InMysql>(server, has_tables);
  return std::make_unique<InPostgresql>(server, has_tables);
}

}  // namespace

OnEveryDatabase::OnEveryDatabase(Holds holds)
    : place_(place_for(GetParam(), holds == Holds::our_tables)) {}

OnEveryDatabase::~OnEveryDatabase() = default;

Database& OnEveryDatabase::open() {
  Database& database = *open_.emplace_back(open_database(connection(), kSessionZone));
  // A test needs no durability, and waiting for the disk would be most of its time.
  if (GetParam() == Server::sqlite) database.execute({"PRAGMA synchronous = OFF", {}});
  return database;
}

const std::string& OnEveryDatabase::connection() const {
  return place_->connection;
}

bool speaks_mysql(Dialect dialect) {
  return dialect == Dialect::mariadb || dialect == Dialect::mysql;
}

std::string stored(Dialect dialect, const std::string& parameter, const Value& value) {
  const auto in_session_zone = traits(dialect).in_session_zone;
  if (in_session_zone == nullptr || !std::holds_alternative<Instant>(value)) return parameter;
  return in_session_zone(parameter);
}

void count_far(Database& session) {
  if (session.dialect() == Dialect::mysql)
    session.execute({"SET cte_max_recursion_depth = 200000", {}});
  if (session.dialect() == Dialect::mariadb)
    session.execute({"SET max_recursive_iterations = 200000", {}});
}

const char* no_patience(Dialect dialect) {
  if (dialect == Dialect::sqlite) return "PRAGMA busy_timeout = 1";
  if (dialect == Dialect::mysql) return "SET innodb_lock_wait_timeout = 1";  // the least
  return dialect == Dialect::mariadb ? "SET innodb_lock_wait_timeout = 0"
                                     : "SET lock_timeout = '10ms'";
}

// Of long pieces: PostgreSQL is ten times as fast as with single letters.
std::string too_large_text(Dialect dialect) {
  return dialect == Dialect::sqlite ? "hex(zeroblob(33554433))" : "repeat(repeat('x', 8193), 8192)";
}

DatabaseError error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const DatabaseError& error) {
    return error;
  }
  ADD_FAILURE() << "nothing failed";
  return {DatabaseError::Kind::other, ""};
}

std::string refusal_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const DatabaseError& error) {
    return error.what();
  }
  return "";
}

std::int64_t number_in(Database& database, const std::string& sql) {
  return std::get<std::int64_t>(database.query({sql, {}}).rows.at(0).at(0));
}

std::vector<Value> cells_in(Database& database, const std::string& sql) {
  std::vector<Value> cells;
  for (const auto& row : database.query({sql, {}}).rows)
    cells.push_back(row.at(0));
  return cells;
}

void put_in_ledger(Database& database, const std::string& push, const std::string& key,
                   const std::string& state, Instant seen, Instant changed) {
  run_statement(database,
                R"(INSERT INTO "survey_push" ("push", "key", "state", "attempts", "seen_at",)"
                R"( "changed_at") VALUES ({key}, {key}, {key}, 1, {instant}, {instant}))",
                {push, key, state, seen, changed});
}

}  // namespace surveybridge::crm
