#include "connectors/crm/dialect/sql.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "connectors/crm/dialect/arrays.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/ledger/ledger_sql.hpp"
#include "connectors/crm/pulled/write_back_sql.hpp"
#include "tests/crm/golden.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Bytes;
using mapping::Decimal;
using mapping::Null;

std::string name_of(Dialect dialect) {
  return std::string(traits(dialect).name);
}

Table every_type() {
  return {"survey_t",
          {{"id", ColumnType::integer},
           {"position", ColumnType::integer},
           {"truth", ColumnType::boolean},
           {"amount", ColumnType::decimal},
           {"words", ColumnType::text},
           {"name", ColumnType::key_text},
           {"at", ColumnType::instant},
           {"content", ColumnType::bytes}},
          2};
}

// The catalogue of PostgreSQL has a type for each column, MariaDB's for those of bits alone.
WriteShape orders(Dialect dialect) {
  const bool typed = traits(dialect).takes_arrays, bits = traits(dialect).bits_are_numbers;
  return {"sales.orders",
          {{"id", typed ? "integer" : ""}, {"code", typed ? "character varying" : ""}},
          {{"score", typed ? "smallint" : ""},
           {"at \"x\"", typed  ? "timestamp without time zone"
                        : bits ? "UNSIGNED"
                               : ""}}};
}

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

TEST(Statements, RefuseWhatTheyCannotMean) {
  EXPECT_THROW(in_dialect(Dialect::sqlite, "{number}"), std::logic_error);
  EXPECT_THROW(in_dialect(Dialect::sqlite, "{}"), std::logic_error);
  EXPECT_THROW(in_dialect(Dialect::sqlite, "{key[]}"), std::logic_error);
  EXPECT_THROW(in_dialect(Dialect::sqlite, "{key"), std::logic_error);
  EXPECT_THROW(in_dialect(Dialect::sqlite, "\"key"), std::logic_error);
}

TEST(Statements, StoreRows) {
  for (const Dialect dialect : all_dialects()) {
    const Table table = every_type();
    expect_golden("rows." + name_of(dialect) + ".sql",
                  insert(dialect, table) + "\n\n" + upsert(dialect, table) + "\n\nDELETE … WHERE " +
                      one_of(dialect, table.columns[0], 3) + "\n\n" +
                      limited(dialect, "SELECT … ORDER BY a", 5) + "\n");
  }
}

TEST(Statements, MoveTheLedger) {
  for (const Dialect dialect : all_dialects()) {
    std::string text = remember(dialect) + "\n\n" + insert_batch(dialect) + "\n\n" +
                       answer_batch(dialect) + "\n\n" + restore_doubt_since(dialect) + "\n\n";
    if (traits(dialect).takes_arrays) {
      text += enter_many(dialect) + "\n\n" + move_many(dialect, From::claimed_or_doubt) + "\n\n" +
              move_many(dialect, From::quarantine) + "\n\n" +
              move_many(dialect, From::marked_sent) + "\n";
    } else {
      text += enter_one(dialect) + "\n\n" + move_pending(dialect) + "\n\n" +
              move_one(dialect, From::doubt, false, false) + "\n\n" +
              move_one(dialect, From::claimed, true, true) + "\n\n" +
              move_one(dialect, From::marked_sent, true, false) + "\n";
    }
    expect_golden("ledger." + name_of(dialect) + ".sql", text);
  }
}

TEST(Statements, WriteBack) {
  for (const Dialect dialect : all_dialects()) {
    const std::string text = traits(dialect).takes_arrays
                                 ? write_many(dialect, orders(dialect))
                                 : write_one(dialect, orders(dialect)) + "\n\n" +
                                       count_matches(dialect, orders(dialect));
    expect_golden("write_back." + name_of(dialect) + ".sql", text + "\n");
  }
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
