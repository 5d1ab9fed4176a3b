// The rows that a push gets: by window, by ledger, by key; on every database.
#include "connectors/crm/source/source.hpp"

#include <map>

#include <gmock/gmock.h>

#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "connectors/crm/source/moving_dates.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/support/forwarding_database.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr Instant kNoon = sys_days(2026y / June / 1) + 12h;

std::vector<std::string> keys_of(const Rows& rows) {
  std::vector<std::string> keys;
  for (const auto& row : rows.rows)
    keys.push_back(row.key);
  return keys;
}

std::vector<std::string> unreadable(const Rows& rows) {
  std::vector<std::string> keys;
  for (const auto& row : rows.unreadable)
    keys.push_back(row.key);
  return keys;
}

class SourceTests : public OnEveryDatabase {
 protected:
  void SetUp() override {
    database_ = &open();
    for (const std::string& sql : schema(database_->dialect())) {
      if (sql.find("survey_push") != std::string::npos) database_->execute({sql, {}});
    }
  }
  bool sqlite() const { return GetParam() == Server::sqlite; }
  bool mariadb() const { return speaks_mysql(GetParam()); }
  const char* instant_type() const {
    return sqlite() ? "TIMESTAMP" : mariadb() ? "TIMESTAMP(6)" : "TIMESTAMPTZ";
  }

  void make_orders(const std::string& when_type, const std::string& key_type = "INTEGER") {
    local_ = when_type != instant_type();
    run_statement(*database_, "CREATE TABLE orders (id " + key_type + ", email VARCHAR(254), at " +
                                  when_type + ")");
  }
  void make_orders() { make_orders(instant_type()); }
  // Of a TIMESTAMP only: a DATETIME holds what it is told.
  std::string stored_at(const std::string& parameter, const Value& at) {
    return local_ ? parameter : stored(database_->dialect(), parameter, at);
  }
  void order(const Value& id, const Value& at, const std::string& email = "a@example.test") {
    database_->execute(
        {"INSERT INTO orders (id, email, at) VALUES (:p1, :p2, " + stored_at(":p3", at) + ")",
         {id, email, at}});
  }
  void in_ledger(const std::string& key, const std::string& state,
                 const std::string& push = "orders") {
    put_in_ledger(*database_, push, key, state, kNoon, kNoon);
  }
  Source source(const std::string& query = "SELECT id, email, at FROM orders") {
    return Source(*database_, {"orders", query, "id", "at", "Europe/Amsterdam"});
  }
  // The keys of one day around noon.
  std::vector<std::string> keys(Source source, int limit = 100) {
    return keys_of(source.next(kNoon - 12h, kNoon + 12h, limit));
  }
  std::string refusal(const std::string& query) {
    return refusal_of([&] { source(query).columns(); });
  }

  Database* database_ = nullptr;
  bool local_ = false;  // `at` has no zone
};
INSTANTIATE_TEST_SUITE_P(Databases, SourceTests, every_database(), server_name);

// A view made anew with its columns in another order would mail the manager.
TEST_P(SourceTests, HandsOutNoRowByColumnsThatAreNoLongerThose) {
  run_statement(*database_, std::string("CREATE TABLE orders (id INTEGER, email VARCHAR(254),") +
                                " manager VARCHAR(254), at " + instant_type() + ")");
  database_->execute({"CREATE VIEW todo AS SELECT id, email, manager, at FROM orders", {}});
  database_->execute(
      {"INSERT INTO orders VALUES (:p1, 'customer@example.test',"
       " 'manager@example.test', :p2)",
       {std::int64_t{1}, kNoon}});
  Source todo = source("SELECT * FROM todo");
  EXPECT_EQ(todo.columns().at(1).name, "email");
  database_->execute({"DROP VIEW todo", {}});
  database_->execute({"CREATE VIEW todo AS SELECT id, manager, email, at FROM orders", {}});
  EXPECT_THROW(todo.next(kNoon - 12h, kNoon + 12h, 10), DatabaseError);
  EXPECT_EQ(todo.columns().at(2).name, "email");
  const Rows rows = todo.next(kNoon - 12h, kNoon + 12h, 10);
  EXPECT_EQ(rows.rows.at(0).cells.at(2), Value{"customer@example.test"});
  database_->execute({"DROP VIEW todo", {}});
  database_->execute({"CREATE VIEW todo AS SELECT id, email, at FROM orders", {}});
  EXPECT_THROW(todo.by_key({"1"}), DatabaseError);
  EXPECT_EQ(keys_of(todo.by_key({"1"})), std::vector<std::string>{"1"});
}

TEST_P(SourceTests, FindsTheRowsWhoseDateIsNone) {
  make_orders(sqlite() ? "TEXT" : instant_type(), "INTEGER");
  if (mariadb()) database_->execute({"SET sql_mode = ''", {}});
  if (mariadb()) database_->execute({"ALTER TABLE orders MODIFY at TIMESTAMP(6) NULL", {}});
  const char* const odd = sqlite() ? "22-11-2026 02:30" : mariadb() ? "0000-00-00" : "infinity";
  order(std::int64_t{1}, kNoon);
  order(std::int64_t{2}, mapping::Null{});
  database_->execute({std::string("INSERT INTO orders VALUES (3, 'a', '") + odd + "')", {}});
  order(std::int64_t{4}, mapping::Null{});
  in_ledger("4", "sent");
  EXPECT_THAT(source().undated(10), ElementsAre("2", "3"));
  EXPECT_THAT(source().undated(1), ElementsAre("2"));
  EXPECT_EQ(source().count_undated(), 3);
  EXPECT_THAT(keys(source()), ElementsAre("1"));
}

// Some systems write them where they have none.
TEST_P(SourceTests, FindsTheRowsWhoseDateStandsForNone) {
  make_orders(sqlite() ? "TEXT" : mariadb() ? "DATETIME(6)" : instant_type(), "INTEGER");
  for (const char* row : {"2, 'a', '9999-12-31 00:00:00'", "3, 'a', '0001-01-01 00:00:00'",
                          "4, 'a', '8999-12-30 00:00:00'", "5, 'a', '1900-01-02 00:00:00'"})
    database_->execute({std::string("INSERT INTO orders VALUES (") + row + ")", {}});
  EXPECT_THAT(source().undated(10), ElementsAre("2", "3"));
  EXPECT_EQ(source().count_undated(), 2);
}

TEST_P(SourceTests, FindsAmongTheSetAsideThoseThatHaveADateNow) {
  make_orders();
  order(std::int64_t{1}, kNoon);
  order(std::int64_t{2}, mapping::Null{});
  order(std::int64_t{3}, kNoon - 24h);
  order(std::int64_t{4}, kNoon);
  for (const char* key : {"1", "2", "3", "4"})
    in_ledger(key, "quarantined");
  run_statement(*database_, R"(UPDATE "survey_push" SET "reason" = {text} WHERE "key" <> '4')",
                {std::string(kUndated) + " in it"});
  const Chunk chunk = source().chunk({kNoon - 12h, kNoon + 12h}, {}, 10, true);
  EXPECT_THAT(chunk.found_again, ElementsAre("1"));
  EXPECT_THAT(chunk.keys, IsEmpty());
}

TEST_P(SourceTests, GivesRowsOfTheWindowInOrderAndNoOthers) {
  make_orders();
  const std::int64_t edge = 12 * 3600 * 1000;
  for (const auto& [id, offset] : std::map<std::int64_t, std::int64_t>{
           {1, 0}, {2, -edge}, {3, edge}, {4, -edge - 1}, {5, edge - 1}, {6, -1}}) {
    order(id, kNoon + milliseconds(offset));
  }
  EXPECT_THAT(keys(source()), ElementsAre("2", "6", "1", "5"));
  EXPECT_THAT(keys(source(), 2), ElementsAre("2", "6"));
}

TEST_P(SourceTests, GivesAllCellsOfARowInTheOrderOfItsColumns) {
  make_orders();
  order(std::int64_t{7}, kNoon, "zoë@example.test");
  const Rows rows = source().next(kNoon, kNoon + 1ms, 10);
  ASSERT_EQ(rows.columns.size(), 3u);
  EXPECT_EQ(rows.columns[1].name, "email");
  ASSERT_EQ(rows.rows.size(), 1u);
  EXPECT_THAT(
      rows.rows[0].cells,
      ElementsAre(Value(std::int64_t{7}), Value(std::string("zoë@example.test")), Value(kNoon)));
}

TEST_P(SourceTests, LeavesOutWhatTheLedgerKnowsInAnyState) {
  make_orders();
  for (std::int64_t id = 1; id <= 5; ++id)
    order(id, kNoon);
  in_ledger("1", "sent");
  in_ledger("2", "pending");
  in_ledger("3", "quarantined");
  in_ledger("4", "sent", "another push");
  EXPECT_THAT(keys(source()), ElementsAre("4", "5"));
}

TEST_P(SourceTests, CountsWhatTheLedgerDoesNotKnow) {
  make_orders();
  for (std::int64_t id = 1; id <= 5; ++id)
    order(id, kNoon - hours(id));
  in_ledger("2", "sent");
  EXPECT_EQ(source().count(kNoon - 6h, kNoon), 4);
  EXPECT_EQ(source().count(kNoon - 3h, kNoon), 2);
  EXPECT_EQ(source().count(kNoon, kNoon + 1h), 0);
}

TEST_P(SourceTests, TellsKeysApartThatDifferInCase) {
  make_orders(instant_type(), "VARCHAR(40)");
  order(std::string("a1"), kNoon);
  order(std::string("A1"), kNoon);
  in_ledger("a1", "sent");
  EXPECT_THAT(keys(source()), ElementsAre("A1"));
  EXPECT_THAT(keys_of(source().by_key({"a1"})), ElementsAre("a1"));
}

TEST_P(SourceTests, CountsRowsWithoutAKeyAndNeverGivesThem) {
  make_orders(instant_type(), "VARCHAR(40)");
  order(mapping::Null{}, kNoon);
  order(mapping::Null{}, kNoon + 1s);
  order(std::string(), kNoon);
  order(mapping::Null{}, kNoon + 48h);
  order(std::string("k"), kNoon + 2s);
  const Chunk chunk = source().chunk({kNoon, kNoon + 1h}, {}, 10);
  EXPECT_EQ(chunk.without_key, 3);
  EXPECT_EQ(source().count_without_key({kNoon, kNoon + 1h}), 3);
  EXPECT_EQ(source().count_without_key({kNoon + 1s, kNoon + 72h}), 2);
  EXPECT_THAT(chunk.keys, ElementsAre("k"));
}

TEST_P(SourceTests, LeavesOutTheRowThatTheDatabaseFailsToMake) {
  make_orders();
  for (int i = 1; i <= 9; ++i)
    order(std::int64_t{i}, kNoon);
  const auto query_failing = [&](const std::string& where) {
    const std::string cell =
        sqlite()    ? "abs(CASE WHEN " + where + " THEN -9223372036854775808 ELSE 1 END)"
        : mariadb() ? "9223372036854775807 + (" + where + ")"
                    : "1 / CASE WHEN " + where + " THEN 0 ELSE 1 END";
    return "SELECT id, email, at, " + cell + " AS rate FROM orders";
  };
  const std::string query = query_failing("id = 3");
  Source orders = source(query);
  const auto found = orders.next(kNoon - 12h, kNoon + 12h, 100);
  EXPECT_THAT(keys_of(found), ElementsAre("1", "2", "4", "5", "6", "7", "8", "9"));
  ASSERT_THAT(unreadable(found), ElementsAre("3"));
  EXPECT_THAT(found.unreadable.front().reason, HasSubstr("the database cannot read the row: "));
  EXPECT_EQ(orders.looks(), 1) << "a sweep goes on where it was";
  EXPECT_THAT(unreadable(source(query).by_key({"3"})), ElementsAre("3")) << "alone, too";
  EXPECT_THROW(source(query_failing("id > 0")).next(kNoon - 12h, kNoon + 12h, 100), DatabaseError)
      << "a wrong query quarantines nobody";
  Source wrong = source(query_failing("id <> 4"));
  const auto read = [&](const char* key) {
    return wrong.whole_rows({key}, Window{kNoon - 12h, kNoon + 12h}, SIZE_MAX).rows;
  };
  EXPECT_THAT(unreadable(read("1")), ElementsAre("1"));
  EXPECT_THAT(unreadable(read("1")), ElementsAre("1")) << "it is one row";
  EXPECT_THAT(unreadable(read("2")), ElementsAre("2"));
  EXPECT_THROW(read("3"), DatabaseError) << "nor does it do so row by row";
  EXPECT_THAT(keys_of(read("4")), ElementsAre("4"));
  EXPECT_THAT(unreadable(read("3")), ElementsAre("3"));
  if (GetParam() == Server::mysql) return;  // makes the cells of the rows that are asked for
  // Here each statement makes that cell, whatever row is asked for: no row is the cause.
  Source all = source("SELECT * FROM (" + query + " ORDER BY id LIMIT 10) AS t");
  EXPECT_THROW(all.by_key({"1", "2", "3"}), DatabaseError);
  EXPECT_THROW(all.by_key({"1"}), DatabaseError);
}

// Of a cast that tests a value the server says that a constraint refuses it.
TEST_P(SourceTests, LeavesOutTheRowThatADomainRefuses) {
  if (sqlite() || mariadb()) return;
  make_orders();
  for (int i = 1; i <= 5; ++i)
    order(std::int64_t{i}, kNoon);
  database_->execute({"CREATE DOMAIN few AS integer CHECK (VALUE <> 3)", {}});
  const auto found =
      source("SELECT id, at, CAST(id AS few) AS n FROM orders").next(kNoon - 12h, kNoon + 12h, 100);
  EXPECT_THAT(keys_of(found), ElementsAre("1", "2", "4", "5"));
  EXPECT_THAT(unreadable(found), ElementsAre("3"));
}

// One that may change something is called for each row that is looked for, too.
TEST_P(SourceTests, LeavesOutTheRowThatAFunctionOfTheCrmRefuses) {
  if (sqlite() || mariadb()) return;
  make_orders();
  for (int i = 1; i <= 5; ++i)
    order(std::int64_t{i}, kNoon);
  run_statement(*database_,
                "CREATE FUNCTION rate(n bigint) RETURNS integer STABLE LANGUAGE plpgsql AS"
                " $$BEGIN"
                " IF n = 3 THEN RAISE EXCEPTION 'closed'; END IF; RETURN 1; END$$");
  const auto found =
      source("SELECT id, at, rate(id) AS n FROM orders").next(kNoon - 12h, kNoon + 12h, 100);
  EXPECT_THAT(keys_of(found), ElementsAre("1", "2", "4", "5"));
  EXPECT_THAT(unreadable(found), ElementsAre("3"));
}

// Orders 1, 3 and 4, the second with a film that is too large. MariaDB makes no such text in a
// statement. Each statement that asks for it takes a second: there are as few as show the halving.
class LargeRowTests : public SourceTests {
 protected:
  void SetUp() override {
    SourceTests::SetUp();
    make_orders();
    for (const auto id : {1, 3, 4})
      order(std::int64_t{id}, kNoon);
  }
  SourceQuery with_film() {
    return {"orders",
            "SELECT id, email, at, CASE WHEN id = 3 THEN " + too_large_text(database_->dialect()) +
                " END AS film FROM orders",
            "id", "at", "Europe/Amsterdam"};
  }
};
INSTANTIATE_TEST_SUITE_P(Databases, LargeRowTests,
                         testing::Values(Server::sqlite, Server::postgresql), server_name);

TEST_P(LargeRowTests, LeaveOutTheRowWithACellThatIsTooLarge) {
  Source source(*database_, with_film());
  const auto whole = source.whole_rows({"1", "3", "4"}, std::nullopt, SIZE_MAX);
  EXPECT_THAT(keys_of(whole.rows), ElementsAre("1", "4"));
  EXPECT_THAT(unreadable(whole.rows), ElementsAre("3"));
  EXPECT_EQ(whole.keys, 3u);
  in_ledger("3", "pending");
  const auto pending = source.pending(10);
  EXPECT_THAT(unreadable(pending.rows), ElementsAre("3"));
  EXPECT_THAT(pending.gone, IsEmpty());
}

// A server that fails before it gives a large cell, with an error that does not tell why.
class FailsAtLargeCells final : public support::ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result query(const Statement& statement) override {
    const DatabaseError untold(DatabaseError::Kind::other, "it failed", {"XX000"});
    if (fails_always && statement.sql.find("bridge_key") != std::string::npos) throw untold;
    try {
      return inner().query(statement);
    } catch (const DatabaseError& error) {
      if (error.kind == DatabaseError::Kind::too_large) throw untold;
      throw;
    }
  }
  bool fails_always = false;
};

TEST_P(LargeRowTests, LeaveOutTheRowWhateverTheServerSaysOfIt) {
  FailsAtLargeCells failing(*database_);
  Source source(failing, with_film());
  const auto whole = source.whole_rows({"1", "3"}, std::nullopt, SIZE_MAX);
  EXPECT_THAT(keys_of(whole.rows), ElementsAre("1"));
  EXPECT_THAT(unreadable(whole.rows), ElementsAre("3"));
  EXPECT_EQ(source.looks(), 1) << "a sweep goes on where it was";
  failing.fails_always = true;
  EXPECT_THROW(source.whole_rows({"1"}, std::nullopt, SIZE_MAX), DatabaseError);
}

// PostgreSQL writes bytes as twice as many letters, and no text of more than a gigabyte.
class UnwritableRowTests : public SourceTests {};
INSTANTIATE_TEST_SUITE_P(Databases, UnwritableRowTests, testing::Values(Server::postgresql),
                         server_name);

TEST_P(UnwritableRowTests, AreLeftOut) {
  make_orders();
  order(std::int64_t{3}, kNoon);
  const std::string query =
      "SELECT id, email, at, convert_to(repeat(repeat('x', 65536), 8189 + id), 'UTF8') AS film"
      " FROM orders";
  const auto rows = source(query).whole_rows({"3"}, std::nullopt, SIZE_MAX).rows;
  EXPECT_TRUE(rows.rows.empty());
  EXPECT_THAT(unreadable(rows), ElementsAre("3"));
}

TEST_P(SourceTests, TellsWhichDateMovesWithEachChange) {
  run_statement(*database_, std::string("CREATE TABLE Orders2 (id INTEGER, at ") +
                                (mariadb() ? "TIMESTAMP DEFAULT CURRENT_TIMESTAMP ON UPDATE"
                                             " CURRENT_TIMESTAMP"
                                           : instant_type()) +
                                ")");
  const auto moving = moving_dates(*database_, "SELECT id, at FROM `orders2` AS o WHERE id > 1");
  ASSERT_EQ(moving.size(), mariadb() ? 1U : 0U);
  for (const auto& each : moving)
    EXPECT_EQ(each.column, "at");
  EXPECT_THAT(moving_dates(*database_, "SELECT 1 AS orders22, 2 AS at"), testing::SizeIs(0));
}

TEST(MovingDates, AreKnownByTheirNames) {
  for (const char* name : {"updated_at", "UpdatedAt", "last_activity_at", "LastModifiedDate", "tms",
                           "date_upd", "write_date", "date_updated_gmt", "update", "changed"})
    EXPECT_TRUE(is_called_moving(name)) << name;
  for (const char* name : {"delivered_at", "created_at", "date", "last_close_at",
                           "state_changed_at", "sale_date", "at", "", "format"})
    EXPECT_FALSE(is_called_moving(name)) << name;
}

// Such a cell is not read where nothing maps it, nor are rows two that differ only there.
TEST_P(SourceTests, ReadsNoColumnThatIsNotMapped) {
  make_orders();
  order(std::int64_t{1}, kNoon);
  order(std::int64_t{2}, kNoon);
  const std::string large = mariadb() ? "'x'" : too_large_text(database_->dialect());
  const std::string query = "SELECT id, " + large +
                            " AS film, n, email, at FROM orders, (SELECT 1 AS n UNION SELECT 2) t";
  Source source(*database_,
                {"orders", query, "id", "at", "Europe/Amsterdam", {"ID", "At", "email"}});
  const auto rows = source.whole_rows({"1", "2"}, std::nullopt, SIZE_MAX).rows;
  EXPECT_THAT(unreadable(rows), IsEmpty());
  EXPECT_THAT(rows.duplicate_keys, IsEmpty());
  ASSERT_THAT(keys_of(rows), ElementsAre("1", "2"));
  const auto& cells = rows.rows.front().cells;
  ASSERT_EQ(cells.size(), 5U);
  EXPECT_TRUE(mapping::is_null(cells.at(1)) && mapping::is_null(cells.at(2)));
  EXPECT_EQ(cells.at(3), Value(std::string("a@example.test")));
}

TEST_P(SourceTests, CountsKeysThatRowsOfDifferentDatesShare) {
  make_orders();
  for (int i = 0; i < 5; ++i)
    order(std::int64_t{1}, kNoon + seconds(i));
  order(std::int64_t{2}, kNoon), order(std::int64_t{2}, kNoon);
  order(std::int64_t{3}, kNoon), order(std::int64_t{3}, kNoon + 1h);
  order(mapping::Null{}, kNoon), order(mapping::Null{}, kNoon + 1h);
  const Window window{kNoon - 12h, kNoon + 12h};
  Source orders = source();
  const auto shared = orders.shared_keys(window);
  EXPECT_EQ(shared.keys, 2);
  EXPECT_EQ(shared.dates, 7);
  EXPECT_EQ(shared.most, 5);
  EXPECT_EQ(orders.chunk(window, {}, 100).sharing, 5);
  EXPECT_EQ(orders.shared_keys({kNoon + 2h, kNoon + 3h}).dates, 0);
}

// Two of them may have one text, and a text need not find its row again.
TEST_P(SourceTests, RefuseKeysThatHaveNoTextOfTheirOwn) {
  const std::vector<std::string> of_mysql = {
      "FLOAT",      "DOUBLE",        "FLOAT(7,2)",
      "BINARY(16)", "VARBINARY(16)", "BLOB",
      "BIT(1)",     "BIT(8)",        "VARCHAR(10) CHARACTER SET binary"};
  const std::map<Server, std::vector<std::string>> types = {
      {Server::sqlite, {"REAL", "FLOAT", "DOUBLE", "BLOB", "BOOLEAN"}},
      {Server::postgresql, {"real", "double precision", "bytea", "boolean", "amount", "money"}},
      {Server::odbc, {"real", "double precision", "bytea", "boolean", "money"}},
      {Server::mariadb, of_mysql},
      {Server::mysql, of_mysql}};
  if (GetParam() == Server::postgresql)
    database_->execute({"CREATE DOMAIN amount AS double precision", {}});
  for (const auto& type : types.at(GetParam())) {
    make_orders(instant_type(), type);
    EXPECT_THAT(refusal("SELECT id, email, at FROM orders"),
                HasSubstr("column \"id\": a key cannot be made of"))
        << type;
    database_->execute({"DROP TABLE orders", {}});
  }
  make_orders();
  order(std::int64_t{7}, kNoon);
  const std::string real = sqlite() || mariadb() ? "id * 1e0" : "CAST(id AS real)";
  EXPECT_THAT(refusal("SELECT " + real + " AS id, email, at FROM orders"),
              HasSubstr("column \"id\": a key cannot be made of floating-point numbers"));
  const std::string whole = mariadb() ? "SIGNED" : "BIGINT";
  EXPECT_THAT(
      keys(source("SELECT CAST(" + real + " AS " + whole + ") AS id, email, at FROM orders")),
      ElementsAre("7"));
}

// Its sessions had PAD_CHAR_TO_FULL_LENGTH, which ours have no more.
TEST_P(SourceTests, RefusesRowsOfACharWhoseKeysTheLedgerKnowsWithBlanks) {
  if (!mariadb()) return;
  make_orders(instant_type(), "CHAR(10)");
  order("A1", kNoon);
  EXPECT_THAT(keys(source()), ElementsAre("A1"));
  in_ledger("A1        ", "sent");
  EXPECT_THAT(error_of([&] { keys(source()); }).what(),
              HasSubstr("write RPAD(x, n, ' ') in the query"))
      << "it would be sent again";
  EXPECT_THAT(keys(source("SELECT RPAD(id, 10, ' ') AS id, email, at FROM orders")), IsEmpty());
}

TEST_P(SourceTests, MakesOneOfIdenticalTwinsAndNoneOfOthers) {
  make_orders();
  order(std::int64_t{1}, kNoon);
  order(std::int64_t{1}, kNoon);
  order(std::int64_t{2}, kNoon, "a@example.test");
  order(std::int64_t{2}, kNoon, "b@example.test");
  order(std::int64_t{2}, kNoon, "b@example.test");
  order(std::int64_t{3}, kNoon);
  const Rows rows = source().next(kNoon, kNoon + 1h, 100);
  EXPECT_THAT(keys_of(rows), ElementsAre("1", "3"));
  EXPECT_THAT(rows.duplicate_keys, ElementsAre("2"));
  EXPECT_EQ(source().count(kNoon, kNoon + 1h), 3) << "keys";
}

TEST_P(SourceTests, ReadsAWallClockInTheCrmsZone) {
  make_orders(mariadb() ? "DATETIME(6)" : "TIMESTAMP");
  const auto wall = [](Instant instant) { return mapping::LocalTime(instant.time_since_epoch()); };
  order(std::int64_t{1}, wall(kNoon + 2h));  // noon in UTC
  order(std::int64_t{2}, wall(kNoon));
  order(std::int64_t{3}, wall(kNoon + 3h));
  EXPECT_THAT(keys_of(source().next(kNoon, kNoon + 1h, 10)), ElementsAre("1"));
}

TEST_P(SourceTests, ReadsADateAsItsMidnightInTheCrmsZone) {
  make_orders("DATE");
  order(std::int64_t{1}, std::string("2026-06-01"));  // 22:00 of May in UTC
  order(std::int64_t{2}, std::string("2026-06-02"));
  const Instant midnight = sys_days(2026y / May / 31) + 22h;
  EXPECT_THAT(keys_of(source().next(midnight, midnight + 24h, 10)), ElementsAre("1"));
  EXPECT_THAT(keys_of(source().next(midnight + 1s, midnight + 24h + 1s, 10)), ElementsAre("2"));
  EXPECT_THAT(keys_of(source().next(midnight - 24h, midnight, 10)), IsEmpty());
}

TEST_P(SourceTests, FindsWhatIsPendingWhereverItLiesAndSaysWhatIsGone) {
  make_orders();
  order(std::int64_t{1}, kNoon - hours(24 * 365));
  order(std::int64_t{2}, kNoon);
  order(std::int64_t{4}, kNoon, "a@example.test");
  order(std::int64_t{4}, kNoon, "b@example.test");
  for (const char* key : {"1", "3", "4"})
    in_ledger(key, "pending");
  in_ledger("2", "sent");
  const Source::Pending pending = source().pending(10);
  EXPECT_THAT(keys_of(pending.rows), ElementsAre("1"));
  EXPECT_THAT(pending.rows.duplicate_keys, ElementsAre("4"));
  EXPECT_THAT(pending.gone, ElementsAre("3"));
  EXPECT_THAT(source().pending(1).rows.rows.size() + source().pending(1).gone.size(), 1u);
}

TEST_P(SourceTests, FindsRowsByKeyWhateverTheLedgerSays) {
  make_orders();
  std::vector<std::vector<Value>> orders;
  for (std::int64_t id = 1; id <= 1200; ++id)
    orders.push_back({id, kNoon + seconds(id)});
  Transaction transaction(*database_);
  database_->execute_each("INSERT INTO orders (id, at) VALUES (:p1, :p2)", orders);
  transaction.commit();
  in_ledger("2", "sent");
  EXPECT_THAT(keys_of(source().by_key({"2", "9999", "1", "2", "x'; --"})),
              UnorderedElementsAre("1", "2"));
  std::vector<std::string> all;
  for (int id = 1; id <= 1200; ++id)
    all.push_back(std::to_string(id));
  EXPECT_EQ(source().by_key(all).rows.size(), 1200u);
  EXPECT_TRUE(source().by_key({}).rows.empty());
}

TEST_P(SourceTests, TakesAnyQueryThatStandsAsATable) {
  make_orders();
  order(std::int64_t{1}, kNoon);
  order(std::int64_t{2}, kNoon);
  for (const char* query :
       {"SELECT * FROM orders;", "SELECT * FROM orders -- it's all :p1",
        "SELECT * FROM orders /* :p9 ? */ ;\n;", "SELECT * FROM orders ORDER BY email",
        "WITH o AS (SELECT * FROM orders) SELECT * FROM o",
        "SELECT id, at, ':p1 it''s 10:30' AS remark FROM orders",
        "SELECT id, at FROM orders WHERE id = 1 UNION ALL SELECT id, at FROM orders WHERE id = 2",
        "SELECT id, at, 'x' AS bridge_key FROM orders"}) {
    EXPECT_THAT(keys(source(query)), ElementsAre("1", "2")) << query;
  }
}

TEST_P(SourceTests, MatchesColumnNamesAsTheDatabaseFoldsThem) {
  make_orders();
  order(std::int64_t{1}, kNoon);
  Source folded(*database_, {"orders", "SELECT Id, At FROM orders", "ID", "At", "UTC"});
  EXPECT_THAT(keys_of(folded.next(kNoon, kNoon + 1h, 5)), ElementsAre("1"));
  Source spaced(*database_, {"orders", "SELECT id AS \"the \"\"Key\", at AS \"when?\" FROM orders",
                             "the \"Key", "when?", "UTC"});
  EXPECT_THAT(keys_of(spaced.next(kNoon, kNoon + 1h, 5)), ElementsAre("1"));
}

TEST_P(SourceTests, SaysWhatAQueryLacks) {
  make_orders();
  EXPECT_THAT(refusal("SELECT email, at FROM orders"), HasSubstr("no column \"id\""));
  EXPECT_THAT(refusal("SELECT id, email FROM orders"),
              HasSubstr("no column \"at\", which push.orders.when names; it has id, email"));
  EXPECT_THAT(refusal("SELECT id, at FROM no_table"), HasSubstr("no_table"));
  EXPECT_THAT(refusal("SELECT id, 1 AS at FROM orders WHERE 1 ="), HasSubstr("syntax"));
}

TEST_P(SourceTests, RefusesTwoColumnsOfOneName) {
  make_orders();
  const auto said = refusal("SELECT o.*, p.id FROM orders o JOIN orders p ON o.id = p.id");
  EXPECT_THAT(said, speaks_mysql(GetParam())
                        ? HasSubstr("(SQLSTATE 42S21)")
                        : HasSubstr("several columns named \"id\": name each of them with AS"));
}

TEST_P(SourceTests, RefusesSecondsSince1970AsADate) {
  make_orders("BIGINT");
  EXPECT_THAT(refusal("SELECT id, at FROM orders"), HasSubstr("column \"at\" is no date"));
}

class ServerSourceTests : public SourceTests {};
INSTANTIATE_TEST_SUITE_P(Databases, ServerSourceTests, every_server(), server_name);

TEST_P(ServerSourceTests, RefusesTextAsADate) {
  make_orders("TEXT");
  EXPECT_THAT(refusal("SELECT id, at FROM orders"),
              HasSubstr(mariadb() ? "CAST(x AS datetime(6))" : "CAST(x AS timestamp)"));
}

TEST_P(ServerSourceTests, TakesKeysOfAnyTypeAndCollation) {
  const std::vector<std::string> of_mariadb = {"uuid", "varchar(40) COLLATE utf8mb4_bin",
                                               "text CHARACTER SET latin1", "char(36)"};
  const std::vector<std::string> of_postgresql = {"uuid", "text COLLATE \"C\"",
                                                  "text COLLATE \"POSIX\"", "char(36)"};
  for (const auto& type : mariadb() ? of_mariadb : of_postgresql) {
    if (type == "uuid" && GetParam() == Server::mysql) continue;  // it has no such type
    make_orders(instant_type(), type);
    const std::string id = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11";
    order(id, kNoon);
    EXPECT_THAT(keys(source()), ElementsAre(id)) << type;
    EXPECT_THAT(keys_of(source().by_key({id})), ElementsAre(id)) << type;
    in_ledger(id, "sent");
    EXPECT_THAT(keys(source()), IsEmpty()) << type;
    database_->execute({"DELETE FROM survey_push", {}});
    database_->execute({"DROP TABLE orders", {}});
  }
}

class MariadbSourceTests : public SourceTests {};
INSTANTIATE_TEST_SUITE_P(Databases, MariadbSourceTests, testing::Values(Server::mariadb),
                         server_name);

TEST_P(MariadbSourceTests, GiveKeysWhoseBytesHoldZerosAndWhoseTextHoldsNone) {
  const std::map<std::string, std::string> keys_by_type = {
      {"UUID", "00000000-0000-4000-8000-000000000000"},
      {"INET6", "2001:db8::1"},
      {"VARCHAR(20) CHARACTER SET utf16", "A1"}};
  const Window window{kNoon - 12h, kNoon + 12h};
  for (const auto& [type, id] : keys_by_type) {
    make_orders(instant_type(), type);
    order(id, kNoon);
    Source orders = source();
    const Chunk full = orders.chunk(window, {}, 1);
    ASSERT_TRUE(full.next.key.has_value()) << "the rest of this `when` is read by key";
    const Chunk by_position = orders.chunk(window, full.next, 1);
    EXPECT_THAT(by_position.keys, ElementsAre(id)) << type;
    EXPECT_EQ(by_position.without_key, 0) << type;
    EXPECT_EQ(orders.count_without_key(window), 0) << type;
    EXPECT_THAT(keys_of(orders.by_key({id})), ElementsAre(id)) << type;
    database_->execute({"DROP TABLE orders", {}});
  }
}

class SqliteSourceTests : public SourceTests {};
INSTANTIATE_TEST_SUITE_P(Databases, SqliteSourceTests, testing::Values(Server::sqlite),
                         server_name);

// Each is noon of 1 June 2026 in UTC; the last two are one second before and after the window.
// No database stores the ledger's text of it.
class NulSourceTests : public SourceTests {};
INSTANTIATE_TEST_SUITE_P(Databases, NulSourceTests,
                         testing::Values(Server::sqlite, Server::mariadb), server_name);

TEST_P(NulSourceTests, GiveNoRowWhoseKeyHoldsNul) {
  make_orders(instant_type(), "VARCHAR(20)");
  const std::string nul = mariadb() ? "CONCAT('A', CHAR(0), 'B')" : "'A' || char(0) || 'B'";
  database_->execute({"INSERT INTO orders VALUES (" + nul + ", 'a@example.test', " +
                          stored_at(":p1", kNoon) + "), ('AB', 'b@example.test', " +
                          stored_at(":p2", kNoon) + ")",
                      {kNoon, kNoon}});
  Source orders = source();
  EXPECT_THAT(keys_of(orders.next(kNoon - 12h, kNoon + 12h, 10)), ElementsAre("AB"));
  const Window window{kNoon - 12h, kNoon + 12h};
  EXPECT_EQ(orders.count_without_key(window), 1);
  EXPECT_EQ(orders.chunk(window, {}, 10).without_key, 1);
  database_->execute({"UPDATE orders SET at = NULL", {}});
  EXPECT_THAT(orders.undated(10), ElementsAre("AB"));
}

TEST_P(SqliteSourceTests, ReadsDatesInEveryForm) {
  make_orders("TEXT");
  std::int64_t id = 0;
  for (const char* at :
       {"2026-06-01T12:00:00Z", "2026-06-01 12:00:00+00:00", "2026-06-01T12:00:00.000000Z",
        "2026-06-01T14:00:00+0200", "2026-06-01 14:00+02", "2026-06-01T02:00:00-10:00",
        "2026-06-02 02:00:00.5+14:00", "2026-06-01 14:00:00", "2026-06-01T14:00",
        "2026-06-01T12:00:01Z", "2026-06-01 13:59:59"}) {
    order(++id, std::string(at));
  }
  EXPECT_THAT(keys_of(source().next(kNoon, kNoon + 1s, 100)),
              UnorderedElementsAre("1", "2", "3", "4", "5", "6", "7", "8", "9"));
}

TEST_P(SqliteSourceTests, GivesNoRowOfAKeyThatOnlyLooksAlike) {
  make_orders("TEXT", "VARCHAR(40) COLLATE NOCASE");
  order(std::string("a1"), kNoon);
  order(std::string("A1"), kNoon);
  EXPECT_THAT(keys_of(source().by_key({"a1"})), ElementsAre("a1"));
  in_ledger("a1", "sent");
  EXPECT_THAT(keys(source()), ElementsAre("A1"));
}

// A cell has its own type there.
TEST_P(SqliteSourceTests, GiveNoRowWhoseKeyHasNoTextOfItsOwn) {
  make_orders(instant_type(), "INTEGER");
  for (const Value& key :
       std::vector<Value>{std::int64_t{1}, std::string("A2"), mapping::Bytes{"A2"}})
    order(key, kNoon);
  database_->execute({"INSERT INTO orders VALUES (1.5, 'b@example.test', :p1)", {kNoon}});
  Source orders = source();
  EXPECT_THAT(keys_of(orders.next(kNoon - 12h, kNoon + 12h, 10)), ElementsAre("1", "A2"));
  EXPECT_EQ(orders.count_without_key({kNoon - 12h, kNoon + 12h}), 2);
}

TEST_P(SqliteSourceTests, RefusesNumbersAmongDates) {
  make_orders("");
  order(std::int64_t{1}, kNoon);
  EXPECT_EQ(refusal("SELECT id, at FROM orders"), "");
  order(std::int64_t{2}, std::int64_t{1'780'000'000});
  EXPECT_THAT(refusal("SELECT id, at FROM orders"), HasSubstr("is no date"));
}

}  // namespace
}  // namespace surveybridge::crm
