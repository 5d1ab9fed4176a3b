#include "connectors/crm/driver/cell_text.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace surveybridge::crm {
namespace {

using namespace std::chrono;
using mapping::Decimal;
using mapping::LocalTime;

TEST(CellText, WritesADecimalWithoutExponent) {
  for (const auto& [number, plain] :
       std::vector<std::pair<std::string, std::string>>{{"0", "0"},
                                                        {"-0", "-0"},
                                                        {"1.50", "1.50"},
                                                        {"+7", "7"},
                                                        {"1e3", "1000"},
                                                        {"1.5E+03", "1500"},
                                                        {"1.2345e2", "123.45"},
                                                        {"12e-1", "1.2"},
                                                        {"1e-7", "0.0000001"},
                                                        {"-2.5e-2", "-0.025"},
                                                        {".5", "0.5"},
                                                        {"5.", "5"},
                                                        {"1e0", "1"}}) {
    EXPECT_EQ(plain_decimal(number), plain) << number;
  }
}

TEST(CellText, TakesNothingElseForANumber) {
  for (const char* text :
       {"",    "-",    "+",  ".",  "e5",  "1e",       "1e+",  "1e++1", "--1",           "1.2.3",
        "1,5", "0x10", " 1", "1 ", "NaN", "Infinity", "-inf", "1e401", "1e99999999999", "1e-401",
        "é"}) {
    EXPECT_FALSE(plain_decimal(std::string_view(text))) << text;
  }
}

TEST(CellText, WritesAFloatAsShortAsItCan) {
  EXPECT_EQ(plain_decimal(0.1), "0.1");
  EXPECT_EQ(plain_decimal(-1.0), "-1");
  EXPECT_EQ(plain_decimal(1e22), "10000000000000000000000");
  EXPECT_EQ(plain_decimal(1.0 / 3), "0.3333333333333333");
  EXPECT_FALSE(plain_decimal(std::nan("")));
  EXPECT_FALSE(plain_decimal(std::numeric_limits<double>::infinity()));
  for (const double number : {1e-300, std::numeric_limits<double>::max(), 123456789.125}) {
    EXPECT_EQ(std::stod(plain_decimal(number).value()), number);
  }
}

TEST(CellText, ReadsByKind) {
  EXPECT_EQ(read_cell(ColumnKind::integer, "-7"), Value(std::int64_t{-7}));
  EXPECT_EQ(read_cell(ColumnKind::integer, "9223372036854775808"),
            Value(Decimal{"9223372036854775808"}));
  EXPECT_EQ(read_cell(ColumnKind::integer, "x"), Value(std::string("x")));
  EXPECT_EQ(read_cell(ColumnKind::decimal, "NaN"), Value(std::string("NaN")));
  EXPECT_EQ(read_cell(ColumnKind::boolean, "t"), Value(true));
  EXPECT_EQ(read_cell(ColumnKind::boolean, "0"), Value(false));
  EXPECT_EQ(read_cell(ColumnKind::boolean, "yes"), Value(std::string("yes")));
  EXPECT_EQ(read_cell(ColumnKind::text, "2026-01-01"), Value(std::string("2026-01-01")));
  EXPECT_EQ(read_cell(ColumnKind::other, "1"), Value(std::string("1")));
}

TEST(CellText, TakesAnInstantWithoutOffsetForUtc) {
  const Instant instant = sys_days(2026y / June / 1) + 10h + 500ms;
  EXPECT_EQ(read_cell(ColumnKind::instant, "2026-06-01 10:00:00.5"), Value(instant));
  EXPECT_EQ(read_cell(ColumnKind::instant, "2026-06-01 12:00:00.5+02"), Value(instant));
  EXPECT_EQ(read_cell(ColumnKind::local_time, "2026-06-01 10:00:00.5"),
            Value(LocalTime(instant.time_since_epoch())));
}

TEST(CellText, LeavesATimeThatItCannotHoldAsText) {
  for (const char* text : {"infinity", "2026-06-01 10:00:00.1234567", "0001-01-01 00:00:00",
                           "0044-03-15 BC", "soon", ""}) {
    EXPECT_EQ(read_cell(ColumnKind::instant, text), Value(std::string(text)));
  }
}

TEST(CellText, WritesParametersInEachDialect) {
  const Instant instant = sys_days(2026y / June / 1) + 10h + microseconds(7);
  const auto text = [&](Dialect dialect) { return parameter_text(instant, dialect); };
  EXPECT_EQ(text(Dialect::postgresql), "2026-06-01 10:00:00.000007+00");
  EXPECT_EQ(text(Dialect::sqlite), "2026-06-01T10:00:00.000007Z");
  EXPECT_EQ(text(Dialect::mariadb), "2026-06-01 10:00:00.000007");
  EXPECT_EQ(text(Dialect::sqlserver), "2026-06-01 10:00:00.000007 +00:00");
  EXPECT_EQ(parameter_text(LocalTime(instant.time_since_epoch()), Dialect::postgresql),
            "2026-06-01 10:00:00.000007");
  EXPECT_EQ(parameter_text(mapping::Bytes{std::string("\x00\xff", 2)}, Dialect::postgresql),
            "\\x00ff");
  EXPECT_EQ(parameter_text(true, Dialect::mariadb), "1");
  EXPECT_EQ(parameter_text(true, Dialect::postgresql), "true");
}

TEST(CellText, HasNoneForNullAndEnumerators) {
  EXPECT_THROW(parameter_text(mapping::Null{}, Dialect::sqlite), std::logic_error);
  EXPECT_THROW(parameter_text(mapping::Enumerator{1, "One"}, Dialect::sqlite), std::logic_error);
}

TEST(CellText, ReadsHexOfWholeBytes) {
  EXPECT_EQ(from_hex("00fF7a"), std::string("\x00\xff\x7a", 3));
  EXPECT_EQ(from_hex(""), "");
  for (const char* text : {"0", "0g", "-1", "+1", " 1", "0x"}) {
    EXPECT_FALSE(from_hex(text)) << text;
  }
}

}  // namespace
}  // namespace surveybridge::crm
