#include "connectors/crm/pulled/column_conversion.hpp"

#include <gtest/gtest.h>

namespace surveybridge::crm {
namespace {

using mapping::Bytes;
using mapping::Decimal;
using mapping::Enumerator;
using mapping::LocalTime;
using mapping::Null;
using mapping::Type;
using namespace std::chrono_literals;

constexpr Instant kEvening =
    Instant{std::chrono::sys_days{std::chrono::year{2026} / 7 / 1}} + 22h + 30min;
const Value kSeven = std::int64_t{7};

std::optional<Value> fitted(const Value& value, ColumnKind kind) {
  return convert_to_column(value, kind, "Europe/Amsterdam");
}

TEST(ColumnConversion, KeepsNullEverywhere) {
  for (int kind = 0; kind <= static_cast<int>(ColumnKind::other); ++kind) {
    EXPECT_EQ(fitted(Null{}, static_cast<ColumnKind>(kind)), Value{Null{}});
  }
}

TEST(ColumnConversion, TakesAnEmptyTextForNothingUnlessItIsText) {
  EXPECT_EQ(fitted("", ColumnKind::integer), Value{Null{}});
  EXPECT_EQ(fitted("", ColumnKind::instant), Value{Null{}});
  EXPECT_EQ(fitted("", ColumnKind::text), Value{""});
}

TEST(ColumnConversion, ReadsIntegersThatAreWhole) {
  EXPECT_EQ(fitted(kSeven, ColumnKind::integer), kSeven);
  EXPECT_EQ(fitted("7", ColumnKind::integer), kSeven);
  EXPECT_EQ(fitted("-7", ColumnKind::integer), Value{std::int64_t{-7}});
  EXPECT_EQ(fitted(Decimal{"7.00"}, ColumnKind::integer), kSeven);
  EXPECT_EQ(fitted(true, ColumnKind::integer), Value{std::int64_t{1}});
  EXPECT_EQ(fitted("9223372036854775807", ColumnKind::integer), Value{INT64_MAX});
}

TEST(ColumnConversion, RefusesWhatIsNoInteger) {
  for (const char* text :
       {"7.5", "seven", "9223372036854775808", " 7", "7 ", "0x7", "7,0", "NaN"}) {
    EXPECT_FALSE(fitted(text, ColumnKind::integer)) << text;
  }
  EXPECT_FALSE(fitted(kEvening, ColumnKind::integer));
  EXPECT_FALSE(fitted(Bytes{"7"}, ColumnKind::integer));
}

TEST(ColumnConversion, ReadsDecimalsExactly) {
  EXPECT_EQ(fitted("1.50", ColumnKind::decimal), Value{Decimal{"1.50"}});
  EXPECT_EQ(fitted(kSeven, ColumnKind::real), Value{Decimal{"7"}});
  EXPECT_FALSE(fitted("1,5", ColumnKind::decimal));
  EXPECT_FALSE(fitted("Infinity", ColumnKind::real));
}

TEST(ColumnConversion, ReadsBooleans) {
  EXPECT_EQ(fitted(true, ColumnKind::boolean), Value{true});
  EXPECT_EQ(fitted("False", ColumnKind::boolean), Value{false});
  EXPECT_EQ(fitted(std::int64_t{1}, ColumnKind::boolean), Value{true});
  EXPECT_FALSE(fitted(kSeven, ColumnKind::boolean));
  EXPECT_FALSE(fitted("yes", ColumnKind::boolean));
}

TEST(ColumnConversion, PutsAnInstantOnTheColumnsClock) {
  EXPECT_EQ(fitted(kEvening, ColumnKind::instant), Value{kEvening});
  EXPECT_EQ(fitted(kEvening, ColumnKind::local_time),
            Value{LocalTime{kEvening.time_since_epoch() + 2h}});
  EXPECT_EQ(fitted(kEvening, ColumnKind::date), Value{"2026-07-02"}) << "it is past midnight there";
  EXPECT_EQ(fitted(kEvening, ColumnKind::text), Value{"2026-07-01T22:30:00Z"});
  EXPECT_EQ(fitted("2026-07-01T22:30:00Z", ColumnKind::instant), Value{kEvening});
  EXPECT_EQ(fitted("2026-07-02T00:30:00", ColumnKind::instant), Value{kEvening});
  EXPECT_FALSE(fitted("tomorrow", ColumnKind::date));
  EXPECT_FALSE(fitted(kSeven, ColumnKind::date));
}

TEST(ColumnConversion, WritesAZeroDateAsNull) {
  EXPECT_EQ(fitted("0001-01-01T00:00:00", ColumnKind::date), Value{Null{}});
  EXPECT_EQ(fitted("0000-00-00", ColumnKind::local_time), Value{Null{}});
  EXPECT_EQ(fitted("0000-00-00 00:00:00", ColumnKind::instant), Value{Null{}});
  EXPECT_EQ(fitted("0000-00-00", ColumnKind::text), Value{"0000-00-00"});
}

TEST(ColumnConversion, WritesAnythingButBytesAsText) {
  EXPECT_EQ(fitted(kSeven, ColumnKind::text), Value{"7"});
  EXPECT_EQ(fitted(true, ColumnKind::text), Value{"true"});
  EXPECT_EQ(fitted(Decimal{"1.50"}, ColumnKind::text), Value{"1.50"});
  EXPECT_FALSE(fitted(Bytes{"x"}, ColumnKind::text));
  EXPECT_FALSE(fitted(Bytes{"x"}, ColumnKind::other));
  EXPECT_EQ(fitted(kSeven, ColumnKind::other), kSeven);
}

TEST(ColumnConversion, KeepsBytesForBytes) {
  EXPECT_EQ(fitted(Bytes{"x"}, ColumnKind::bytes), Value{Bytes{"x"}});
  EXPECT_FALSE(fitted("x", ColumnKind::bytes));
}

TEST(ColumnConversion, ShowsAnEnumeratorByNumberOrName) {
  const Value both = Enumerator{7, "Approved"};
  EXPECT_EQ(fitted(both, ColumnKind::integer), kSeven);
  EXPECT_EQ(fitted(both, ColumnKind::text), Value{"Approved"});
  EXPECT_EQ(fitted(Enumerator{7, ""}, ColumnKind::text), Value{"7"});
  EXPECT_EQ(fitted(Enumerator{std::nullopt, "New"}, ColumnKind::integer), Value{Null{}})
      << "its number is not known yet";
}

TEST(ColumnConversion, KnowsWhatCanNeverFit) {
  EXPECT_TRUE(can_convert(Type::text, ColumnKind::integer)) << "a text may hold a number";
  EXPECT_TRUE(can_convert(Type::boolean, ColumnKind::integer));
  EXPECT_TRUE(can_convert(Type::instant, ColumnKind::date));
  EXPECT_TRUE(can_convert(Type::base64, ColumnKind::bytes));
  EXPECT_FALSE(can_convert(Type::boolean, ColumnKind::date));
  EXPECT_FALSE(can_convert(Type::instant, ColumnKind::integer));
  EXPECT_FALSE(can_convert(Type::integer, ColumnKind::boolean));
  EXPECT_FALSE(can_convert(Type::guid, ColumnKind::integer));
  EXPECT_FALSE(can_convert(Type::text, ColumnKind::bytes));
  EXPECT_FALSE(can_convert(Type::object, ColumnKind::text));
}

}  // namespace
}  // namespace surveybridge::crm
