// The SQL around an operator's query, for each database.
#include "connectors/crm/source/source_sql.hpp"

#include <gmock/gmock.h>

namespace surveybridge::crm {
namespace {

using namespace std::chrono;
using mapping::LocalTime;
using testing::ElementsAre;
using testing::HasSubstr;

// Summer time in Amsterdam: two hours ahead.
constexpr Instant kSince = sys_days(2026y / June / 1) + 23h;
constexpr Instant kUntil = sys_days(2026y / June / 8) + 12h;

Windowed orders(ColumnKind when) {
  return {"orders",
          "SELECT * FROM orders -- all;\n;\n ",
          {"id", ColumnKind::integer},
          {"delivered_at", when},
          "Europe/Amsterdam"};
}

LocalTime local(sys_days day, hours hour = 0h) {
  return LocalTime((day + hour).time_since_epoch());
}

TEST(SourceSql, OfPostgresqlCastsTheParameterAndNotTheColumn) {
  const Statement statement =
      unknown_rows(Dialect::postgresql, orders(ColumnKind::instant), kSince, kUntil, 100);
  EXPECT_EQ(statement.sql,
            "SELECT q.*, CAST(q.\"id\" AS text) COLLATE \"default\" AS \"bridge_key\" FROM (\n"
            "SELECT * FROM orders -- all\n"
            ") AS q WHERE q.\"delivered_at\" >= CAST(:p1 AS timestamptz)"
            " AND q.\"delivered_at\" < CAST(:p2 AS timestamptz)"
            " AND octet_length(CAST(q.\"id\" AS text)) BETWEEN 1 AND 190"
            " AND NOT EXISTS (SELECT 1 FROM \"survey_push\" AS p"
            " WHERE p.\"push\" = CAST(:p3 AS text)"
            " AND p.\"key\" = CAST(q.\"id\" AS text) COLLATE \"default\")"
            " ORDER BY q.\"delivered_at\", CAST(q.\"id\" AS text) COLLATE \"default\" LIMIT 100");
  EXPECT_THAT(statement.parameters,
              ElementsAre(Value(kSince), Value(kUntil), Value(std::string("orders"))));
}

TEST(SourceSql, OfMariadbSpeaksItsQuotesAndLimit) {
  const Statement statement =
      unknown_rows(Dialect::mariadb, orders(ColumnKind::local_time), kSince, kUntil, 7);
  EXPECT_EQ(statement.sql,
            "SELECT q.*, CAST(q.`id` AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_nopad_bin"
            " AS `bridge_key` FROM (\nSELECT * FROM orders -- all\n) AS q"
            " WHERE q.`delivered_at` >= CAST(:p1 AS datetime(6))"
            " AND q.`delivered_at` < CAST(:p2 AS datetime(6))"
            " AND OCTET_LENGTH(CAST(q.`id` AS CHAR CHARACTER SET utf8mb4)) BETWEEN 1 AND 190"
            " AND NOT EXISTS (SELECT 1 FROM `survey_push` AS p WHERE p.`push` = :p3"
            " AND p.`key` = CAST(q.`id` AS CHAR CHARACTER SET utf8mb4)"
            " COLLATE utf8mb4_nopad_bin)"
            " ORDER BY q.`delivered_at`,"
            " CAST(q.`id` AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_nopad_bin LIMIT 7");
}

TEST(SourceSql, OfSqlServerFetchesAfterAnOffset) {
  const Statement statement =
      unknown_rows(Dialect::sqlserver, orders(ColumnKind::instant), kSince, kUntil, 7);
  EXPECT_EQ(statement.sql,
            "SELECT q.*, CAST(q.[id] AS nvarchar(4000)) COLLATE Latin1_General_100_BIN2"
            " AS [bridge_key] FROM (\nSELECT * FROM orders -- all\n) AS q"
            " WHERE q.[delivered_at] >= CAST(:p1 AS datetimeoffset(6))"
            " AND q.[delivered_at] < CAST(:p2 AS datetimeoffset(6))"
            " AND DATALENGTH(CAST(q.[id] AS nvarchar(4000))) BETWEEN 2 AND 380"
            " AND NOT EXISTS (SELECT 1 FROM [survey_push] AS p WHERE p.[push] = :p3"
            " AND p.[key] = CAST(q.[id] AS nvarchar(4000)) COLLATE Latin1_General_100_BIN2)"
            " ORDER BY q.[delivered_at],"
            " CAST(q.[id] AS nvarchar(4000)) COLLATE Latin1_General_100_BIN2"
            " OFFSET 0 ROWS FETCH NEXT 7 ROWS ONLY");
}

TEST(SourceSql, OfSqliteFindsTheDaysByTextAndTheMomentsByTheirForm) {
  const Statement statement =
      unknown_rows(Dialect::sqlite, orders(ColumnKind::text), kSince, kUntil, 7);
  EXPECT_THAT(statement.sql,
              HasSubstr("WHERE q.\"delivered_at\" >= :p1 AND q.\"delivered_at\" < :p2"
                        " AND CASE WHEN (q.\"delivered_at\" GLOB '*[Zz]'"));
  EXPECT_THAT(statement.sql,
              HasSubstr("END) < julianday(:p4) ELSE julianday(q.\"delivered_at\") >="
                        " julianday(:p5) AND julianday(q.\"delivered_at\") < julianday(:p6) END"
                        " AND length(CAST(CAST(q.\"id\" AS TEXT) AS BLOB)) BETWEEN 1 AND 190"));
  EXPECT_THAT(statement.sql, testing::EndsWith(" LIMIT 7"));
  EXPECT_THAT(
      statement.parameters,
      ElementsAre(Value(std::string("2026-05-31")), Value(std::string("2026-06-11")), Value(kSince),
                  Value(kUntil), Value(local(sys_days(2026y / June / 2), 1h)),
                  Value(local(sys_days(2026y / June / 8), 14h)), Value(std::string("orders"))));
}

TEST(SourceSql, BoundsAWallClockByTheCrmsZone) {
  const Statement statement =
      rows_without_key(Dialect::postgresql, orders(ColumnKind::local_time), kSince, kUntil);
  EXPECT_EQ(
      statement.sql,
      "SELECT COUNT(*) FROM (\nSELECT * FROM orders -- all\n) AS q"
      " WHERE q.\"delivered_at\" >= CAST(:p1 AS timestamp)"
      " AND q.\"delivered_at\" < CAST(:p2 AS timestamp)"
      " AND (q.\"id\" IS NULL OR NOT octet_length(CAST(q.\"id\" AS text)) BETWEEN 1 AND 190)");
  EXPECT_THAT(statement.parameters, ElementsAre(Value(local(sys_days(2026y / June / 2), 1h)),
                                                Value(local(sys_days(2026y / June / 8), 14h))));
}

TEST(SourceSql, BoundsADateByTheFirstMidnightNotBeforeTheEdge) {
  const Statement statement =
      rows_without_key(Dialect::sqlserver, orders(ColumnKind::date), kSince, kUntil);
  EXPECT_THAT(statement.sql, HasSubstr("q.[delivered_at] >= CAST(:p1 AS date)"));
  EXPECT_THAT(statement.parameters, ElementsAre(Value(local(sys_days(2026y / June / 3))),
                                                Value(local(sys_days(2026y / June / 9)))));
}

TEST(SourceSql, FindsKeysByTheColumnItselfWhereItsTypeIsKnown) {
  Windowed source = orders(ColumnKind::instant);
  const auto where = [&](std::vector<std::string> keys) {
    const std::string sql = rows_by_key(Dialect::postgresql, source, keys).sql;
    const auto start = sql.find(" WHERE ") + 7;
    return sql.substr(start, sql.find(" ORDER") - start);
  };
  EXPECT_EQ(where({"7", "-8"}), "q.\"id\" IN (CAST(:p1 AS bigint), CAST(:p2 AS bigint))");
  const std::string by_text = "CAST(q.\"id\" AS text) COLLATE \"default\" IN (CAST(:p1 AS text))";
  EXPECT_EQ(where({"A7"}), by_text);
  EXPECT_EQ(where({"07"}), by_text);
  EXPECT_EQ(where({"99999999999999999999"}), by_text);
  EXPECT_EQ(where({""}), by_text);
  source.key.kind = ColumnKind::text;
  EXPECT_EQ(where({"A7"}), "q.\"id\" IN (CAST(:p1 AS text))");
}

TEST(SourceSql, RefusesAWhenThatIsNoDate) {
  const auto why = [](Dialect dialect, ColumnKind kind) {
    return unusable_when(dialect, {"shipped", kind}).value_or("");
  };
  for (const Dialect dialect : {Dialect::postgresql, Dialect::mariadb, Dialect::sqlserver}) {
    for (const ColumnKind kind : {ColumnKind::integer, ColumnKind::real, ColumnKind::boolean,
                                  ColumnKind::text, ColumnKind::other}) {
      EXPECT_THAT(why(dialect, kind), HasSubstr("column \"shipped\" is no date"));
    }
    EXPECT_EQ(why(dialect, ColumnKind::date), "");
    EXPECT_EQ(why(dialect, ColumnKind::instant), "");
  }
  EXPECT_EQ(why(Dialect::sqlite, ColumnKind::text), "");
  EXPECT_EQ(why(Dialect::sqlite, ColumnKind::other), "");
  EXPECT_THAT(why(Dialect::sqlite, ColumnKind::integer), HasSubstr("unixepoch"));
}

TEST(SourceSql, QuotesNamesThatTryToBeMore) {
  Windowed source = orders(ColumnKind::instant);
  source.key.name = "i\"d";
  EXPECT_THAT(unknown_rows(Dialect::postgresql, source, kSince, kUntil, 1).sql,
              HasSubstr("CAST(q.\"i\"\"d\" AS text)"));
  source.when.name = "a]b";
  EXPECT_THAT(unknown_rows(Dialect::sqlserver, source, kSince, kUntil, 1).sql,
              HasSubstr("q.[a]]b] >="));
}

}  // namespace
}  // namespace surveybridge::crm
