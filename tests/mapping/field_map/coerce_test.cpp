#include "mapping/field_map/coerce.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "mapping/values/dates.hpp"

namespace surveybridge::mapping {
namespace {

using namespace std::string_literals;
using std::chrono::sys_days;
using std::chrono::year;

const std::string kZone = "Europe/Amsterdam";

Value fits(const Value& value, Type type) {
  const Coerced coerced = coerce(value, type, kZone);
  if (const auto* misfit = std::get_if<ConversionError>(&coerced)) {
    ADD_FAILURE() << misfit->rule;
    return Null{};
  }
  return std::get<Value>(coerced);
}

std::string rule(const Value& value, Type type) {
  const Coerced coerced = coerce(value, type, kZone);
  const auto* misfit = std::get_if<ConversionError>(&coerced);
  return misfit ? misfit->rule : "it fits";
}

TEST(Coerce, LeavesNullAlone) {
  for (const Type type : {Type::boolean, Type::integer, Type::decimal, Type::text, Type::guid,
                          Type::instant, Type::base64, Type::enumeration}) {
    EXPECT_EQ(fits(Null{}, type), Value{Null{}});
  }
}

TEST(Coerce, TakesWholeNumbersOfAnyWriting) {
  EXPECT_EQ(fits(std::int64_t{-5}, Type::integer), Value{std::int64_t{-5}});
  EXPECT_EQ(fits(Decimal{"7.00"}, Type::integer), Value{std::int64_t{7}});
  EXPECT_EQ(fits("007"s, Type::integer), Value{std::int64_t{7}});
  EXPECT_EQ(fits("-9223372036854775808"s, Type::integer), Value{INT64_MIN});
  EXPECT_EQ(fits(true, Type::integer), Value{std::int64_t{1}});
}

TEST(Coerce, RefusesWhatIsNoInteger) {
  for (const auto& text : {"7,5"s, "7.5"s, "7."s, ".0"s, ""s, "-"s, "+7"s, " 7"s, "7 "s, "7e2"s,
                           "0x7"s, "9223372036854775808"s, "seven"s}) {
    EXPECT_EQ(rule(text, Type::integer), "not an integer") << text;
  }
  EXPECT_EQ(rule(Decimal{"0.01"}, Type::integer), "not an integer");
  EXPECT_EQ(rule(Bytes{"7"}, Type::integer), "not an integer");
}

TEST(Coerce, KeepsDecimalsExactly) {
  EXPECT_EQ(fits(Decimal{"0.10"}, Type::decimal), Value{Decimal{"0.10"}});
  EXPECT_EQ(fits("-12.345678901234567890"s, Type::decimal),
            Value{Decimal{"-12.345678901234567890"}});
  EXPECT_EQ(fits(std::int64_t{3}, Type::decimal), Value{Decimal{"3"}});
  EXPECT_EQ(rule("1,5"s, Type::decimal), "not a decimal number");
  EXPECT_EQ(rule("1e5"s, Type::decimal), "not a decimal number");
  EXPECT_EQ(rule(true, Type::decimal), "not a decimal number");
}

TEST(Coerce, TakesBooleansOfAnyWriting) {
  for (const Value& value : {Value{true}, Value{std::int64_t{1}}, Value{Decimal{"1"}}, Value{"1"s},
                             Value{"t"s}, Value{"True"s}}) {
    EXPECT_EQ(fits(value, Type::boolean), Value{true});
  }
  for (const Value& value : {Value{false}, Value{std::int64_t{0}}, Value{Decimal{"0.0"}},
                             Value{"0"s}, Value{"F"s}, Value{"false"s}}) {
    EXPECT_EQ(fits(value, Type::boolean), Value{false});
  }
}

TEST(Coerce, RefusesWhatIsNoBoolean) {
  for (const Value& value : {Value{std::int64_t{2}}, Value{"yes"s}, Value{""s}, Value{"-1"s},
                             Value{Bytes{"1"}}, Value{Instant{}}}) {
    EXPECT_EQ(rule(value, Type::boolean), "not a boolean");
  }
}

TEST(Coerce, WritesTextCanonically) {
  EXPECT_EQ(fits(std::int64_t{-5}, Type::text), Value{"-5"s});
  EXPECT_EQ(fits(Decimal{"1.50"}, Type::text), Value{"1.50"s});
  EXPECT_EQ(fits(false, Type::text), Value{"false"s});
  EXPECT_EQ(fits(Instant{}, Type::text), Value{"1970-01-01T00:00:00Z"s});
  EXPECT_EQ(fits(LocalTime{}, Type::text), Value{"1970-01-01T00:00:00"s});
  EXPECT_EQ(fits("a\r\nb"s, Type::text), Value{"a\r\nb"s});
}

TEST(Coerce, RefusesWhatIsNoText) {
  EXPECT_EQ(rule("a\0b"s, Type::text), "holds a NUL character");
  EXPECT_EQ(rule("caf\xE9"s, Type::text), "not UTF-8");
  EXPECT_EQ(rule(Bytes{"abc"}, Type::text), "bytes, not text");
}

TEST(Coerce, ReadsDatesInTheZone) {
  const Instant noon = sys_days{year{2026} / 7 / 1} + std::chrono::hours{12};
  EXPECT_EQ(fits(noon, Type::instant), Value{noon});
  EXPECT_EQ(fits(LocalTime{(noon + std::chrono::hours{2}).time_since_epoch()}, Type::instant),
            Value{noon});
  EXPECT_EQ(fits("2026-07-01 14:00"s, Type::instant), Value{noon});
  EXPECT_EQ(fits("2026-07-01T08:00:00-04:00"s, Type::instant), Value{noon});
  EXPECT_EQ(fits("0001-01-01T00:00:00"s, Type::instant), Value{Null{}});
}

TEST(Coerce, RefusesWhatIsNoDate) {
  const Instant late = sys_days{year{10000} / 1 / 1};
  EXPECT_EQ(rule("2026-02-29"s, Type::instant), "not a date");
  EXPECT_EQ(rule("01-07-2026"s, Type::instant), "not a date");
  EXPECT_EQ(rule(std::int64_t{1782907200}, Type::instant), "not a date");
  EXPECT_EQ(rule(late, Type::instant), "not a date of the years 1 to 9999");
  EXPECT_EQ(rule(Instant::min(), Type::instant), "not a date of the years 1 to 9999");
  EXPECT_EQ(rule(LocalTime::max(), Type::instant), "not a date of the years 1 to 9999");
}

TEST(Coerce, ChecksTheFormOfGuids) {
  const auto guid = "6C1E0b52-934f-4a7d-8b26-f03d57a9e418"s;
  EXPECT_EQ(fits(guid, Type::guid), Value{guid});
  EXPECT_EQ(rule(guid.substr(1), Type::guid), "not a GUID");
  EXPECT_EQ(rule("6C1E0b52-934f-4a7d-8b26-f03d57a9e41g"s, Type::guid), "not a GUID");
  EXPECT_EQ(rule("6C1E0b52+934f-4a7d-8b26-f03d57a9e418"s, Type::guid), "not a GUID");
}

TEST(Coerce, TakesBytesAsTheyAreAndTextAsBase64) {
  EXPECT_EQ(fits(Bytes{"\xFF"}, Type::base64), Value{Bytes{"\xFF"}});
  EXPECT_EQ(fits("Zm9v"s, Type::base64), Value{Bytes{"foo"}});
  EXPECT_EQ(rule("foo"s, Type::base64), "neither bytes nor base64");
  EXPECT_EQ(rule(std::int64_t{1}, Type::base64), "neither bytes nor base64");
}

TEST(Coerce, TakesAChoiceByNumberOrName) {
  EXPECT_EQ(fits("3"s, Type::enumeration), (Value{Enumerator{3, ""}}));
  EXPECT_EQ(fits("New"s, Type::enumeration), (Value{Enumerator{std::nullopt, "New"}}));
  EXPECT_EQ(rule(Bytes{"3"}, Type::enumeration), "neither the number nor the name of a choice");
}

TEST(Coerce, RefusesObjects) {
  EXPECT_THROW(coerce("x"s, Type::object, kZone), std::invalid_argument);
}

}  // namespace
}  // namespace surveybridge::mapping
