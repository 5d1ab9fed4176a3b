#include "connectors/crm/fit.hpp"

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

std::optional<Value> fitted(const Value& value, Kind kind) {
  return fit(value, kind, "Europe/Amsterdam");
}

TEST(Fitting, KeepsNullEverywhere) {
  for (int kind = 0; kind <= static_cast<int>(Kind::other); ++kind) {
    EXPECT_EQ(fitted(Null{}, static_cast<Kind>(kind)), Value{Null{}});
  }
}

TEST(Fitting, TakesAnEmptyTextForNothingUnlessItIsText) {
  EXPECT_EQ(fitted("", Kind::integer), Value{Null{}});
  EXPECT_EQ(fitted("", Kind::instant), Value{Null{}});
  EXPECT_EQ(fitted("", Kind::text), Value{""});
}

TEST(Fitting, ReadsIntegersThatAreWhole) {
  EXPECT_EQ(fitted(kSeven, Kind::integer), kSeven);
  EXPECT_EQ(fitted("7", Kind::integer), kSeven);
  EXPECT_EQ(fitted("-7", Kind::integer), Value{std::int64_t{-7}});
  EXPECT_EQ(fitted(Decimal{"7.00"}, Kind::integer), kSeven);
  EXPECT_EQ(fitted(true, Kind::integer), Value{std::int64_t{1}});
  EXPECT_EQ(fitted("9223372036854775807", Kind::integer), Value{INT64_MAX});
}

TEST(Fitting, RefusesWhatIsNoInteger) {
  for (const char* text :
       {"7.5", "seven", "9223372036854775808", " 7", "7 ", "0x7", "7,0", "NaN"}) {
    EXPECT_FALSE(fitted(text, Kind::integer)) << text;
  }
  EXPECT_FALSE(fitted(kEvening, Kind::integer));
  EXPECT_FALSE(fitted(Bytes{"7"}, Kind::integer));
}

TEST(Fitting, ReadsDecimalsExactly) {
  EXPECT_EQ(fitted("1.50", Kind::decimal), Value{Decimal{"1.50"}});
  EXPECT_EQ(fitted(kSeven, Kind::real), Value{Decimal{"7"}});
  EXPECT_FALSE(fitted("1,5", Kind::decimal));
  EXPECT_FALSE(fitted("Infinity", Kind::real));
}

TEST(Fitting, ReadsBooleans) {
  EXPECT_EQ(fitted(true, Kind::boolean), Value{true});
  EXPECT_EQ(fitted("False", Kind::boolean), Value{false});
  EXPECT_EQ(fitted(std::int64_t{1}, Kind::boolean), Value{true});
  EXPECT_FALSE(fitted(kSeven, Kind::boolean));
  EXPECT_FALSE(fitted("yes", Kind::boolean));
}

TEST(Fitting, PutsAnInstantOnTheColumnsClock) {
  EXPECT_EQ(fitted(kEvening, Kind::instant), Value{kEvening});
  EXPECT_EQ(fitted(kEvening, Kind::local_time), Value{LocalTime{kEvening.time_since_epoch() + 2h}});
  EXPECT_EQ(fitted(kEvening, Kind::date), Value{"2026-07-02"}) << "it is past midnight there";
  EXPECT_EQ(fitted(kEvening, Kind::text), Value{"2026-07-01T22:30:00Z"});
  EXPECT_EQ(fitted("2026-07-01T22:30:00Z", Kind::instant), Value{kEvening});
  EXPECT_EQ(fitted("2026-07-02T00:30:00", Kind::instant), Value{kEvening});
  EXPECT_FALSE(fitted("tomorrow", Kind::date));
  EXPECT_FALSE(fitted(kSeven, Kind::date));
  EXPECT_FALSE(fitted("0001-01-01T00:00:00", Kind::date));
}

TEST(Fitting, WritesAnythingButBytesAsText) {
  EXPECT_EQ(fitted(kSeven, Kind::text), Value{"7"});
  EXPECT_EQ(fitted(true, Kind::text), Value{"true"});
  EXPECT_EQ(fitted(Decimal{"1.50"}, Kind::text), Value{"1.50"});
  EXPECT_FALSE(fitted(Bytes{"x"}, Kind::text));
  EXPECT_FALSE(fitted(Bytes{"x"}, Kind::other));
  EXPECT_EQ(fitted(kSeven, Kind::other), kSeven);
}

TEST(Fitting, KeepsBytesForBytes) {
  EXPECT_EQ(fitted(Bytes{"x"}, Kind::bytes), Value{Bytes{"x"}});
  EXPECT_FALSE(fitted("x", Kind::bytes));
}

TEST(Fitting, ShowsAnEnumeratorByNumberOrName) {
  const Value both = Enumerator{7, "Approved"};
  EXPECT_EQ(fitted(both, Kind::integer), kSeven);
  EXPECT_EQ(fitted(both, Kind::text), Value{"Approved"});
  EXPECT_EQ(fitted(Enumerator{7, ""}, Kind::text), Value{"7"});
  EXPECT_EQ(fitted(Enumerator{std::nullopt, "New"}, Kind::integer), Value{Null{}})
      << "its number is not known yet";
}

TEST(Fitting, KnowsWhatCanNeverFit) {
  EXPECT_TRUE(can_fit(Type::text, Kind::integer)) << "a text may hold a number";
  EXPECT_TRUE(can_fit(Type::boolean, Kind::integer));
  EXPECT_TRUE(can_fit(Type::instant, Kind::date));
  EXPECT_TRUE(can_fit(Type::base64, Kind::bytes));
  EXPECT_FALSE(can_fit(Type::boolean, Kind::date));
  EXPECT_FALSE(can_fit(Type::instant, Kind::integer));
  EXPECT_FALSE(can_fit(Type::integer, Kind::boolean));
  EXPECT_FALSE(can_fit(Type::guid, Kind::integer));
  EXPECT_FALSE(can_fit(Type::text, Kind::bytes));
  EXPECT_FALSE(can_fit(Type::object, Kind::text));
}

}  // namespace
}  // namespace surveybridge::crm
