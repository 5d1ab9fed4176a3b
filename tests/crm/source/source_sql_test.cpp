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

// What a sweep reads at the window's start.
Statement first_keys(Dialect dialect, ColumnKind when, int limit) {
  return window_keys(dialect, orders(when), kSince, kUntil, {}, limit);
}

TEST(SourceSql, OfPostgresqlCastsTheParameterAndNotTheColumn) {
  const Statement statement = first_keys(Dialect::postgresql, ColumnKind::instant, 100);
  EXPECT_EQ(statement.sql,
            "SELECT CAST(q.\"id\" AS text) COLLATE \"default\" AS \"bridge_key\","
            " q.\"delivered_at\" AS \"bridge_when\" FROM (\n"
            "SELECT * FROM orders -- all\n"
            ") AS q WHERE q.\"delivered_at\" >= CAST(:p1 AS timestamptz)"
            " AND q.\"delivered_at\" < CAST(:p2 AS timestamptz)"
            " AND NOT ((q.\"delivered_at\" IS NULL OR NOT pg_catalog.isfinite(q.\"delivered_at\")))"
            " ORDER BY q.\"delivered_at\" LIMIT 100");
  EXPECT_THAT(statement.parameters, ElementsAre(Value(kSince), Value(kUntil)));
}

TEST(SourceSql, OfMariadbSpeaksItsQuotesAndLimit) {
  const Statement statement = first_keys(Dialect::mariadb, ColumnKind::local_time, 7);
  EXPECT_EQ(statement.sql,
            "SELECT CAST(q.`id` AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_nopad_bin"
            " AS `bridge_key`, q.`delivered_at` AS `bridge_when` FROM (\n"
            "SELECT * FROM orders -- all\n) AS q"
            " WHERE q.`delivered_at` >= CAST(:p1 AS datetime(6))"
            " AND q.`delivered_at` < CAST(:p2 AS datetime(6))"
            " AND NOT ((q.`delivered_at` IS NULL OR MONTH(q.`delivered_at`) = 0"
            " OR DAYOFMONTH(q.`delivered_at`) = 0)) ORDER BY q.`delivered_at` LIMIT 7");
}

TEST(SourceSql, OfSqlServerFetchesAfterAnOffset) {
  const Statement statement = first_keys(Dialect::sqlserver, ColumnKind::instant, 7);
  EXPECT_EQ(statement.sql,
            "SELECT CAST(q.[id] AS nvarchar(4000)) COLLATE Latin1_General_100_BIN2"
            " AS [bridge_key], q.[delivered_at] AS [bridge_when]"
            " FROM (\nSELECT * FROM orders -- all\n) AS q"
            " WHERE q.[delivered_at] >= CAST(:p1 AS datetimeoffset(6))"
            " AND q.[delivered_at] < CAST(:p2 AS datetimeoffset(6))"
            " AND NOT (q.[delivered_at] IS NULL)"
            " ORDER BY q.[delivered_at] OFFSET 0 ROWS FETCH NEXT 7 ROWS ONLY");
}

TEST(SourceSql, OfSqliteFindsTheDaysByTextAndTheMomentsByTheirForm) {
  const Statement statement = first_keys(Dialect::sqlite, ColumnKind::text, 7);
  EXPECT_THAT(statement.sql, HasSubstr(", CAST(q.\"delivered_at\" AS TEXT) AS \"bridge_when\""));
  EXPECT_THAT(statement.sql,
              HasSubstr("WHERE q.\"delivered_at\" >= :p1 AND q.\"delivered_at\" < :p2"
                        " AND CASE WHEN (q.\"delivered_at\" GLOB '*[Zz]'"));
  EXPECT_THAT(statement.sql, HasSubstr("END) < julianday(:p4) ELSE julianday(q.\"delivered_at\") >="
                                       " julianday(:p5) AND julianday(q.\"delivered_at\") <"
                                       " julianday(:p6) END ORDER BY q.\"delivered_at\" LIMIT 7"));
  EXPECT_THAT(
      statement.parameters,
      ElementsAre(Value(std::string("2026-05-31")), Value(std::string("2026-06-11")), Value(kSince),
                  Value(kUntil), Value(local(sys_days(2026y / June / 2), 1h)),
                  Value(local(sys_days(2026y / June / 8), 14h))));
}

TEST(SourceSql, GoesOnAtTheWhenOfThePosition) {
  const Position there{kUntil - 1h};
  const Statement statement =
      window_keys(Dialect::postgresql, orders(ColumnKind::instant), kSince, kUntil, there, 7);
  EXPECT_EQ(statement.sql, first_keys(Dialect::postgresql, ColumnKind::instant, 7).sql);
  EXPECT_THAT(statement.parameters, ElementsAre(Value(kUntil - 1h), Value(kUntil)));
}

TEST(SourceSql, GoesOnAmongTheTextsOfAWindow) {
  const auto first = [](const char* when) {
    return window_keys(Dialect::sqlite, orders(ColumnKind::text), kSince, kUntil,
                       {std::string(when)}, 7)
        .parameters.front();
  };
  EXPECT_EQ(first("2026-06-03 10:00"), Value(std::string("2026-06-03 10:00")));
  EXPECT_EQ(first("2026-05-01"), Value(std::string("2026-05-31"))) << "no earlier than the window";
}

TEST(SourceSql, ReadsTheRowsOfOneWhenByTheirKeys) {
  const Statement statement = window_keys(Dialect::postgresql, orders(ColumnKind::instant), kSince,
                                          kUntil, {kUntil - 1h, "k"}, 7);
  EXPECT_THAT(
      statement.sql,
      HasSubstr(
          " AND q.\"delivered_at\" < CAST(:p3 AS timestamptz)"
          " AND NOT ((q.\"delivered_at\" IS NULL OR NOT pg_catalog.isfinite(q.\"delivered_at\")))"
          " AND pg_catalog.octet_length(CAST(q.\"id\" AS text)) BETWEEN 1 AND 190"
          " AND CAST(q.\"id\" AS text) COLLATE \"default\" > CAST(:p4 AS text)"
          " ORDER BY CAST(q.\"id\" AS text) COLLATE \"default\" LIMIT 7"));
  EXPECT_THAT(statement.parameters, ElementsAre(Value(kUntil - 1h), Value(kUntil),
                                                Value(kUntil - 1h + 1us), Value(std::string("k"))));
}

TEST(SourceSql, BoundsAWallClockByTheCrmsZone) {
  const Statement statement = first_keys(Dialect::postgresql, ColumnKind::local_time, 7);
  EXPECT_THAT(statement.sql, HasSubstr(" WHERE q.\"delivered_at\" >= CAST(:p1 AS timestamp)"
                                       " AND q.\"delivered_at\" < CAST(:p2 AS timestamp)"));
  EXPECT_THAT(statement.parameters, ElementsAre(Value(local(sys_days(2026y / June / 2), 1h)),
                                                Value(local(sys_days(2026y / June / 8), 14h))));
}

TEST(SourceSql, CountsTheRowsOfOneWhenThatHaveNoKey) {
  const Statement statement = count_keyless(Dialect::sqlserver, orders(ColumnKind::date), kSince,
                                            kUntil, local(sys_days(2026y / June / 3)));
  EXPECT_THAT(statement.sql,
              HasSubstr(" AND q.[delivered_at] < CAST(:p3 AS date) AND (q.[id] IS NULL OR NOT"
                        " (DATALENGTH(CAST(q.[id] AS nvarchar(4000))) BETWEEN 2 AND 380"
                        " AND CHARINDEX(NCHAR(0), CAST(q.[id] AS nvarchar(4000)) COLLATE"
                        " Latin1_General_100_BIN2) = 0))"));
  EXPECT_THAT(statement.parameters, ElementsAre(Value(local(sys_days(2026y / June / 3))),
                                                Value(local(sys_days(2026y / June / 9))),
                                                Value(local(sys_days(2026y / June / 4)))));
}

TEST(SourceSql, BoundsADateByTheFirstMidnightNotBeforeTheEdge) {
  const Statement statement = first_keys(Dialect::sqlserver, ColumnKind::date, 7);
  EXPECT_THAT(statement.sql, HasSubstr("q.[delivered_at] >= CAST(:p1 AS date)"));
  EXPECT_THAT(statement.parameters, ElementsAre(Value(local(sys_days(2026y / June / 3))),
                                                Value(local(sys_days(2026y / June / 9)))));
}

TEST(SourceSql, FindsKeysByTheColumnItselfWhereItsTypeIsKnown) {
  Windowed source = orders(ColumnKind::instant);
  const auto where = [&](std::vector<std::string> keys) {
    const std::string sql = rows_by_key(Dialect::postgresql, source, keys, 9).sql;
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
  EXPECT_EQ(where({"A7"}), "CAST(q.\"id\" AS text) IN (CAST(:p1 AS text))");
  source.uuid_key = true;
  const std::string uuid = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11";
  EXPECT_EQ(where({uuid}), "q.\"id\" IN (CAST(:p1 AS uuid))");
  EXPECT_EQ(where({uuid, "A7"}),
            "CAST(q.\"id\" AS text) COLLATE \"default\" IN (CAST(:p1 AS text), CAST(:p2 AS text))");
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
  EXPECT_THAT(window_keys(Dialect::postgresql, source, kSince, kUntil, {}, 1).sql,
              HasSubstr("CAST(q.\"i\"\"d\" AS text)"));
  source.when.name = "a]b";
  EXPECT_THAT(window_keys(Dialect::sqlserver, source, kSince, kUntil, {}, 1).sql,
              HasSubstr("q.[a]]b] >="));
}

}  // namespace
}  // namespace surveybridge::crm
