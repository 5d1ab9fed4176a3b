// Values written to a database are read back unchanged: each kind of value, its limits, and values
// that no kind can hold.
#include <map>

#include <gmock/gmock.h>

#include "tests/crm/conformance.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono;
using mapping::Bytes;
using mapping::Decimal;
using mapping::LocalTime;
using mapping::Null;

constexpr Instant kMoment = sys_days(2026y / March / 29) + 1h + 30min + microseconds(123456);

struct Cell {
  Column column;
  Value value;
};

class CellTests : public OnEveryDatabase {
 protected:
  bool sqlite() const { return GetParam() == Server::sqlite; }
  bool mariadb() const { return speaks_mysql(GetParam()); }
  // This database's name of a PostgreSQL type.
  std::string type(const std::string& name) const {
    static const std::map<std::string, std::string> sqlite_types = {{"BYTEA", "BLOB"},
                                                                    {"TIMESTAMPTZ", "TIMESTAMP"}};
    static const std::map<std::string, std::string> mariadb_types = {
        {"BYTEA", "LONGBLOB"},
        {"TEXT", "LONGTEXT"},
        {"TIMESTAMP", "DATETIME(6)"},
        {"TIMESTAMPTZ", "TIMESTAMP(6)"}};
    if (!sqlite() && !mariadb()) return name;
    const auto& types = sqlite() ? sqlite_types : mariadb_types;
    const auto known = types.find(name);
    return known == types.end() ? name : known->second;
  }

  // Writes and reads one value through a column of this type.
  Cell through(const std::string& name, const Value& value) {
    Database& database = opened();
    database.execute({"CREATE TABLE t (id INTEGER, cell " + type(name) + ")", {}});
    database.execute(
        {"INSERT INTO t (id, cell) VALUES (1, " + stored(database.dialect(), ":p1", value) + ")",
         {value}});
    Cell cell = of("SELECT cell FROM t");
    database.execute({"DROP TABLE t", {}});
    return cell;
  }

  Cell of(const std::string& sql, const std::vector<Value>& parameters = {}) {
    Result result = opened().query({sql, parameters});
    return {result.columns.at(0), result.rows.at(0).at(0)};
  }

  Database& opened() {
    if (database_ == nullptr) database_ = &open();
    return *database_;
  }

 private:
  Database* database_ = nullptr;
};
INSTANTIATE_TEST_SUITE_P(Databases, CellTests, every_database(), server_name);

TEST_P(CellTests, KeepsNull) {
  for (const char* type : {"INTEGER", "TEXT", "TIMESTAMP", "NUMERIC(10,2)"}) {
    EXPECT_EQ(through(type, Null{}).value, Value(Null{})) << type;
  }
}

TEST_P(CellTests, KeepsIntegersOfSixtyFourBits) {
  for (const std::int64_t number :
       {INT64_MIN, std::int64_t{INT32_MIN} - 1, std::int64_t{-1}, std::int64_t{0},
        std::int64_t{INT32_MAX} + 1, std::int64_t{1} << 53, INT64_MAX}) {
    const Cell cell = through("BIGINT", number);
    EXPECT_EQ(cell.value, Value(number));
    EXPECT_EQ(cell.column.kind, ColumnKind::integer);
  }
}

TEST_P(CellTests, KeepsBooleans) {
  // MariaDB stores a boolean as a small number.
  EXPECT_EQ(through("BOOLEAN", true).value, mariadb() ? Value(std::int64_t{1}) : Value(true));
  EXPECT_EQ(through("BOOLEAN", false).value, mariadb() ? Value(std::int64_t{0}) : Value(false));
  EXPECT_EQ(through("BOOLEAN", true).column.kind,
            mariadb() ? ColumnKind::integer : ColumnKind::boolean);
}

TEST_P(CellTests, KeepsEveryDigitOfADecimal) {
  const std::string type = sqlite() ? "TEXT" : "NUMERIC(38,10)";
  for (const char* digits : {"1234567890123456789012345678.0123456789", "-0.0000000001",
                             "0.1000000000", "9007199254740993.0000000000"}) {
    const Cell cell = through(type, Decimal{digits});
    EXPECT_EQ(cell.value, sqlite() ? Value(std::string(digits)) : Value(Decimal{digits}));
  }
}

TEST_P(CellTests, ReadsAFloatAsTheShortestDecimalThatIsTheSame) {
  const std::string type = "DOUBLE PRECISION";
  for (const auto& [given, read] :
       std::vector<std::pair<std::string, std::string>>{{"0.1", "0.1"},
                                                        {"1e300", "1" + std::string(300, '0')},
                                                        {"-2.5e-7", "-0.00000025"},
                                                        {"123456.789", "123456.789"}}) {
    const Cell cell = through(type, Decimal{given});
    EXPECT_EQ(cell.value, Value(Decimal{read}));
    EXPECT_EQ(cell.column.kind, ColumnKind::real);
  }
}

TEST_P(CellTests, KeepsText) {
  const std::string emoji = "Zoë \xF0\x9F\x98\x80 O'Brien \"x\" \\ :p1 ? %s\r\n\t";
  for (const std::string& text : {std::string(), emoji, std::string(" "), std::string("é"),
                                  std::string("'; DROP TABLE t; --")}) {
    const Cell cell = through("TEXT", text);
    EXPECT_EQ(cell.value, Value(text));
    EXPECT_EQ(cell.column.kind, ColumnKind::text);
  }
}

// Lengths at which drivers change their behaviour: 255, 8,000, 16,384 and more.
TEST_P(CellTests, KeepsLongTextWhole) {
  for (const std::size_t size :
       {253u, 256u, 4000u, 4001u, 8190u, 8192u, 16383u, 16384u, 16385u, 70'000u, 3'000'000u}) {
    std::string text;
    while (text.size() < size)
      text += text.size() % 7 == 0 ? "\xF0\x9F\x98\x80" : "x";
    EXPECT_EQ(through("TEXT", text).value, Value(text)) << size;
  }
}

TEST_P(CellTests, KeepsAShortColumnOfWideCharacters) {
  std::string text;
  for (int i = 0; i < 10; ++i)
    text += "\xF0\x9F\x98\x80";
  EXPECT_EQ(through("VARCHAR(10)", text).value, Value(text));
}

TEST_P(CellTests, ReplacesNulWhichNoDatabaseStores) {
  EXPECT_EQ(through("TEXT", std::string("a\0b\0", 4)).value, Value(std::string("a\xEF\xBF\xBD"
                                                                               "b\xEF\xBF\xBD")));
}

TEST_P(CellTests, KeepsBytes) {
  std::string every;
  for (int i = 0; i < 256; ++i)
    every += static_cast<char>(i);
  std::string large;
  while (large.size() < 100'000)
    large += every;
  for (const std::string& bytes : {std::string(), std::string(1, '\0'), every, large}) {
    const Cell cell = through("BYTEA", Bytes{bytes});
    EXPECT_EQ(cell.value, Value(Bytes{bytes}));
    EXPECT_EQ(cell.column.kind, ColumnKind::bytes);
  }
}

TEST_P(CellTests, KeepsInstantsToTheMicrosecond) {
  std::vector<Instant> instants = {kMoment, Instant(seconds(1)),
                                   Instant(sys_days(2038y / January / 19))};
  if (!mariadb()) {  // its TIMESTAMP ranges from 1970 to 2038
    instants.insert(instants.end(),
                    {Instant(sys_days(1900y / January / 1)), Instant(microseconds(-1)),
                     Instant(sys_days(9999y / December / 31))});
  }
  for (const Instant instant : instants) {
    const Cell cell = through("TIMESTAMPTZ", instant);
    EXPECT_EQ(cell.value, Value(instant));
    EXPECT_EQ(cell.column.kind, ColumnKind::instant);
  }
}

TEST_P(CellTests, KeepsWallClocks) {
  for (const Instant instant : {kMoment, Instant(sys_days(2024y / February / 29))}) {
    const LocalTime local(instant.time_since_epoch());
    EXPECT_EQ(through("TIMESTAMP", local).value, Value(local));
  }
}

TEST_P(CellTests, ReadsADateAsItsMidnight) {
  const Cell cell = through("DATE", std::string("2024-02-29"));
  EXPECT_EQ(cell.value, Value(LocalTime(sys_days(2024y / February / 29).time_since_epoch())));
  EXPECT_EQ(cell.column.kind, ColumnKind::date);
}

TEST_P(CellTests, NamesColumnsAsTheQueryDoes) {
  Database& database = opened();
  const Result result = database.query({"SELECT 1 AS id, 'x' AS \"E-mail address é\"", {}});
  ASSERT_EQ(result.columns.size(), 2u);
  EXPECT_EQ(result.columns[0].name, "id");
  EXPECT_EQ(result.columns[1].name, "E-mail address é");
}

TEST_P(CellTests, NamesColumnsAlsoWithoutRows) {
  Database& database = opened();
  const Result result = database.query({"SELECT 1 AS id WHERE 1 = 0", {}});
  EXPECT_EQ(result.columns.size(), 1u);
  EXPECT_TRUE(result.rows.empty());
}

TEST_P(CellTests, ReadsAnOperatorsSqlAsTheDatabaseDoes) {
  EXPECT_EQ(of("SELECT 'at 10:30 :p1 ''quoted'' ' -- don't :p1\n").value,
            Value(std::string("at 10:30 :p1 'quoted' ")));
  EXPECT_EQ(
      of("SELECT /* it's :p2 */ CAST(:p1 AS CHAR(9)) AS \"a:p1'b\"", {std::string("x")}).value,
      Value(std::string("x")));
}

class ServerCellTests : public CellTests {};
INSTANTIATE_TEST_SUITE_P(Databases, ServerCellTests, every_postgresql(), server_name);

TEST_P(ServerCellTests, ReadsPostgresqlsOwnSqlAsItDoes) {
  EXPECT_EQ(of("SELECT $$it's :p1$$::text").value, Value(std::string("it's :p1")));
  EXPECT_EQ(of("SELECT $a$ $$ :p1 ' $a$").value, Value(std::string(" $$ :p1 ' ")));
  EXPECT_EQ(of("SELECT E'it\\'s :p1'").value, Value(std::string("it's :p1")));
  EXPECT_EQ(of("SELECT (ARRAY[1,2,3])[1:2]::text").value, Value(std::string("{1,2}")));
  EXPECT_EQ(of("SELECT (ARRAY['a','b'])[CAST(:p1 AS int)]::text", {std::int64_t{2}}).value,
            Value(std::string("b")));
  EXPECT_EQ(of("SELECT '2026-01-01'::date /* /* :p1 */ ' */").column.kind, ColumnKind::date);
}

TEST_P(ServerCellTests, LeavesWhatIsNoneOfOursAsText) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"CAST('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' AS uuid)",
       "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"},
      {"CAST('{\"a\": [1, 2]}' AS json)", "{\"a\": [1, 2]}"},
      {"CAST('{\"a\": 1}' AS jsonb)", "{\"a\": 1}"},
      {"CAST('1 day 02:00:00' AS interval)", "1 day 02:00:00"},
      {"CAST('10.0.0.1' AS inet)", "10.0.0.1"},
      {"ARRAY[1,2]", "{1,2}"},
      {"CAST('NaN' AS numeric)", "NaN"},
      {"CAST('Infinity' AS double precision)", "Infinity"},
      {"CAST('10:30:00.5' AS time)", "10:30:00.5"},
      {"CAST('mood' AS mood)", "mood"},
  };
  opened().execute({"CREATE TYPE mood AS ENUM ('mood')", {}});
  for (const auto& [sql, text] : cases) {
    EXPECT_EQ(of("SELECT " + sql).value, Value(text)) << sql;
  }
}

TEST_P(ServerCellTests, LeavesInfinityAsText) {
  for (const char* type : {"date", "timestamp", "timestamptz"})
    EXPECT_EQ(of(std::string("SELECT CAST('infinity' AS ") + type + ")").value,
              Value(std::string("infinity")))
        << type;
}

// psqlodbc changes these dates before the bridge reads them.
class LibpqCellTests : public CellTests {};
INSTANTIATE_TEST_SUITE_P(Databases, LibpqCellTests, testing::Values(Server::postgresql),
                         server_name);

TEST_P(LibpqCellTests, LeavesDatesBeyondTheCalendarAsText) {
  for (const char* text : {"infinity", "-infinity", "0044-03-15 BC"}) {
    EXPECT_EQ(of(std::string("SELECT CAST('") + text + "' AS date)").value,
              Value(std::string(text)));
  }
  EXPECT_EQ(of("SELECT CAST('infinity' AS timestamptz)").value, Value(std::string("infinity")));
}

TEST_P(ServerCellTests, ReadsASmallFloatByItsOwnPrecision) {
  EXPECT_EQ(of("SELECT CAST(0.1 AS real)").value, Value(Decimal{"0.1"}));
}

TEST_P(ServerCellTests, TakesParametersOfAnyTypeAsTextThatTheServerReads) {
  EXPECT_EQ(of("SELECT CAST(:p1 AS timestamptz) = CAST(:p2 AS timestamptz)",
               {kMoment, std::string("2026-03-29 03:30:00.123456+02")})
                .value,
            Value(true));
  opened().execute({"CREATE TABLE t (k TEXT, n BIGINT, at TIMESTAMPTZ)", {}});
  opened().execute(
      {"INSERT INTO t VALUES (:p1, :p2, :p3)", {std::string("7"), std::string("7"), kMoment}});
  EXPECT_EQ(of("SELECT count(*) FROM t WHERE k = :p1 AND n = :p2 AND at = :p3",
               {std::int64_t{7}, std::int64_t{7}, kMoment})
                .value,
            Value(std::int64_t{1}));
  EXPECT_EQ(
      of("SELECT count(*) FROM unnest(CAST(:p1 AS text[])) u(k)", {std::string("{a,\"b,c\",NULL}")})
          .value,
      Value(std::int64_t{3}));
}

TEST(SqliteCells, GoByWhatEachCellHolds) {
  auto database = open_database("sqlite3://:memory:");
  database->execute(
      {"CREATE TABLE t (i INTEGER, r REAL, at DATETIME, b BOOLEAN, d DECIMAL(9,2))", {}});
  database->execute(
      {"INSERT INTO t VALUES ('text', 9e999, '2026-01-02 03:04:05+01:00', 2, '12.50')", {}});
  const Result result = database->query({"SELECT i, r, at, b, d, 1 + 1, x'00ff' FROM t", {}});
  const auto& cells = result.rows.at(0);
  EXPECT_EQ(cells[0], Value(std::string("text")));
  EXPECT_EQ(cells[1], Value(std::string("Infinity")));
  EXPECT_EQ(cells[2], Value(Instant(sys_days(2026y / January / 2) + 2h + 4min + 5s)));
  EXPECT_EQ(cells[3], Value(std::int64_t{2}));
  EXPECT_EQ(cells[4], Value(Decimal{"12.5"}));  // SQLite stores it as a number
  EXPECT_EQ(cells[5], Value(std::int64_t{2}));
  EXPECT_EQ(cells[6], Value(Bytes{std::string("\x00\xff", 2)}));
  EXPECT_EQ(result.columns[0].kind, ColumnKind::integer);
  EXPECT_EQ(result.columns[5].kind, ColumnKind::other);
}

TEST(SqliteCells, LeaveADateThatIsNoneAsText) {
  auto database = open_database("sqlite3://:memory:");
  database->execute({"CREATE TABLE t (at DATETIME)", {}});
  for (const char* text : {"soon", "2026-02-30", "", "2026-01-01 10:00:00.1234567"}) {
    database->execute({"DELETE FROM t", {}});
    database->execute({"INSERT INTO t VALUES (:p1)", {std::string(text)}});
    EXPECT_EQ(database->query({"SELECT at FROM t", {}}).rows[0][0], Value(std::string(text)));
  }
}

TEST(SqliteCells, KeepAnInstantThatSqliteItselfCanCompare) {
  auto database = open_database("sqlite3://:memory:");
  const Result result = database->query({"SELECT :p1, julianday(:p2) - julianday('2026-03-29')",
                                         {kMoment, Instant(sys_days(2026y / March / 30))}});
  EXPECT_EQ(result.rows[0][0], Value(std::string("2026-03-29T01:30:00.123456Z")));
  EXPECT_EQ(result.rows[0][1], Value(Decimal{"1"}));
}

}  // namespace
}  // namespace surveybridge::crm
