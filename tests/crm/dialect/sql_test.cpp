#include "connectors/crm/dialect/sql.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "connectors/crm/dialect/arrays.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/pulled/write_back_sql.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Bytes;
using mapping::Decimal;
using mapping::Null;

TEST(Quoting, DoublesTheQuoteWithin) {
  EXPECT_EQ(quoted(Dialect::postgresql, "a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(quoted(Dialect::sqlite, "key"), "\"key\"");
  EXPECT_EQ(quoted(Dialect::mariadb, "a`b\"c"), "`a``b\"c`");
  EXPECT_EQ(quoted(Dialect::sqlserver, "a]b[c"), "[a]]b[c]");
}

TEST(Quoting, TakesAPathPartByPart) {
  EXPECT_EQ(quoted_path(Dialect::postgresql, "orders"), "\"orders\"");
  EXPECT_EQ(quoted_path(Dialect::postgresql, "sales.orders"), "\"sales\".\"orders\"");
  EXPECT_EQ(quoted_path(Dialect::sqlserver, "crm.dbo.orders"), "[crm].[dbo].[orders]");
  EXPECT_EQ(quoted_path(Dialect::mariadb, "a;--.b"), "`a;--`.`b`");
}

TEST(Servers, AreRefusedWhereTheyAreTooOld) {
  EXPECT_EQ(too_old(Dialect::mysql, "05.07.000044"),
            "MySQL 5.7.44 is too old: the bridge needs 8.0.17 or later");
  EXPECT_EQ(too_old(Dialect::mysql, "08.00.000017"), "");
  EXPECT_EQ(too_old(Dialect::mysql, "09.07.000004"), "");
  EXPECT_EQ(too_old(Dialect::mariadb, "10.04.000034"),
            "MariaDB 10.4.34 is too old: the bridge needs 10.5 or later");
  EXPECT_EQ(too_old(Dialect::mariadb, "10.11.000006"), "");
  EXPECT_EQ(too_old(Dialect::postgresql, "9.6.24"),
            "PostgreSQL 9.6.24 is too old: the bridge needs 13 or later");
  EXPECT_EQ(too_old(Dialect::postgresql, "13.0"), "");
  EXPECT_EQ(too_old(Dialect::sqlite, "3.40.1"), "");
}

TEST(Statements, NumberTheirParametersInOrder) {
  const std::string_view pattern = R"(SELECT "key" FROM "t" WHERE "a" = {integer} AND b = {text})";
  EXPECT_EQ(in_dialect(Dialect::sqlite, pattern),
            "SELECT \"key\" FROM \"t\" WHERE \"a\" = :p1 AND b = :p2");
  EXPECT_EQ(in_dialect(Dialect::mariadb, pattern),
            "SELECT `key` FROM `t` WHERE `a` = :p1 AND b = :p2");
  EXPECT_EQ(in_dialect(Dialect::sqlserver, pattern),
            "SELECT [key] FROM [t] WHERE [a] = :p1 AND b = :p2");
  EXPECT_EQ(in_dialect(Dialect::postgresql, pattern),
            "SELECT \"key\" FROM \"t\" WHERE \"a\" = CAST(:p1 AS bigint)"
            " AND b = CAST(:p2 AS text)");
  EXPECT_EQ(in_dialect(Dialect::postgresql, "{instant[]}"), "CAST(:p1 AS timestamptz[])");
}

// What fills a hole stays as it is, whatever is in it: a name may come from the service.
TEST(Statements, OfSeveralLinesAreFilled) {
  EXPECT_EQ(filled(Dialect::mariadb, R"(SELECT {0}, "n" FROM "t"
                   WHERE {1} = {0})",
                   "`a{}`", "'{integer} \"x\"\n'"),
            "SELECT `a{}`, `n` FROM `t` WHERE '{integer} \"x\"\n' = `a{}`");
  EXPECT_EQ(filled(Dialect::postgresql, "{} = {integer} OR {}", "b", 7),
            "b = CAST(:p1 AS bigint) OR 7");
}

TEST(Statements, RefuseWhatTheyCannotMean) {
  EXPECT_THROW(in_dialect(Dialect::sqlite, "{number}"), std::logic_error);
  EXPECT_THROW(in_dialect(Dialect::sqlite, "{}"), std::logic_error);
  EXPECT_THROW(in_dialect(Dialect::sqlite, "{key[]}"), std::logic_error);
  EXPECT_THROW(in_dialect(Dialect::sqlite, "{key"), std::logic_error);
  EXPECT_THROW(in_dialect(Dialect::sqlite, "\"key"), std::logic_error);
}

// No server of this database runs in the tests: this text was compared with its manual.
TEST(Statements, WriteBackIntoSqlServer) {
  const WriteShape orders{
      "sales.orders", {{"id", ""}, {"code", ""}}, {{"score", ""}, {"at \"x\"", ""}}};
  const std::string differ =
      R"(EXISTS (SELECT [score] EXCEPT SELECT :p5) OR EXISTS (SELECT [at "x"] EXCEPT SELECT :p6))";
  const WriteRow row{{std::int64_t{1}, "a"}, {std::int64_t{9}, Null{}}};
  EXPECT_EQ(update_rows(Dialect::sqlserver, orders, {&row, 1}).sql,
            R"(UPDATE [sales].[orders] SET [score] = :p1, [at "x"] = :p2)"
            " WHERE [id] = :p3 AND [code] = :p4 AND (" +
                differ + ")");
}

TEST(Arrays, QuoteEveryTextSoThatNothingInItCounts) {
  EXPECT_EQ(array_literal(std::vector<std::string>{"a", "", "NULL", "a,b", "{c}", " d "}),
            R"({"a","","NULL","a,b","{c}"," d "})");
  EXPECT_EQ(array_literal(std::vector<std::string>{"say \"hi\"", "C:\\x", "line\nline"}),
            "{\"say \\\"hi\\\"\",\"C:\\\\x\",\"line\nline\"}");
}

TEST(Arrays, WriteEachTypeAsPostgreSQLReadsIt) {
  const Instant at{std::chrono::sys_days{std::chrono::year{2026} / 11 / 1}};
  EXPECT_EQ(array_literal(std::vector<Value>{Null{}, true, false, std::int64_t{-7}, Decimal{"1.50"},
                                             at, Bytes{std::string("\0\xFF", 2)}, Bytes{""}}),
            R"({NULL,t,f,-7,"1.50","2026-11-01 00:00:00.000000+00","\\x00ff","\\x"})");
}

TEST(Arrays, HoldNothingAtAll) {
  EXPECT_EQ(array_literal(std::vector<Value>{}), "{}");
  EXPECT_EQ(array_literal(std::vector<Value>{Null{}}), "{NULL}");
}

TEST(Arrays, ReplaceWhatPostgreSQLCannotStore) {
  EXPECT_EQ(array_literal(std::vector<Value>{std::string("a\0b", 3)}),
            "{\"a\xEF\xBF\xBD"
            "b\"}");
}

TEST(Arrays, TurnRowsIntoColumns) {
  const auto columns = columns_as_arrays({{std::int64_t{1}, "a"}, {std::int64_t{2}, Null{}}}, 2);
  EXPECT_EQ(columns, (std::vector<Value>{"{1,2}", "{\"a\",NULL}"}));
  EXPECT_EQ(columns_as_arrays({}, 1), std::vector<Value>{"{}"});
}

}  // namespace
}  // namespace surveybridge::crm
