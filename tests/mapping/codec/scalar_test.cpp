#include "mapping/codec/scalar.hpp"

#include <gtest/gtest.h>

#include "mapping/values/dates.hpp"

namespace surveybridge::mapping {
namespace {

using Kind = Token::Kind;

struct Shown {
  std::string operator()(const Null&) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(const Decimal& value) const { return value.text; }
  std::string operator()(const std::string& value) const { return "text " + value; }
  std::string operator()(Instant value) const { return write_instant(value); }
  std::string operator()(LocalTime value) const { return write_local(value); }
  std::string operator()(const Bytes& value) const { return "bytes " + value.bytes; }
  std::string operator()(const Enumerator& value) const {
    return (value.number ? std::to_string(*value.number) : "") + "/" + value.name;
  }
};

// The value, or the rule after a "!".
std::string read(Type type, Kind kind, std::string_view text) {
  const auto result = read_scalar(type, {kind, text}, "Europe/Amsterdam");
  if (const auto* rule = std::get_if<std::string>(&result)) return "!" + *rule;
  return std::visit(Shown{}, std::get<Scalar>(result).value);
}

struct ScalarCase {
  Kind kind;
  std::string_view text, expected;
};

void check(Type type, std::initializer_list<ScalarCase> cases) {
  for (const auto& [kind, text, expected] : cases) {
    EXPECT_EQ(read(type, kind, text), expected) << text << " of kind " << static_cast<int>(kind);
  }
}

TEST(Scalar, ReadsIntegersOf64BitsFromNumbersAndDigits) {
  check(Type::integer, {{Kind::number, "0", "0"},
                        {Kind::number, "-0", "0"},
                        {Kind::number, "9223372036854775807", "9223372036854775807"},
                        {Kind::number, "-9223372036854775808", "-9223372036854775808"},
                        {Kind::number, "7.0", "7"},
                        {Kind::text, "42", "42"},
                        {Kind::text, "-42", "-42"},
                        {Kind::text, "", "null"},
                        {Kind::markup, " \n 42\t", "42"},
                        {Kind::markup, "  ", "null"},
                        {Kind::null, "", "null"}});
}

TEST(Scalar, RefusesWhatIsNoIntegerOrTooLong) {
  check(Type::integer, {{Kind::number, "9223372036854775808",
                         "!expected integer of 64 bits, got 9223372036854775808"},
                        {Kind::number, "-9223372036854775809",
                         "!expected integer of 64 bits, got -9223372036854775809"},
                        {Kind::text, "99999999999999999999",
                         "!expected integer of 64 bits, got \"99999999999999999999\""},
                        {Kind::number, "7.5", "!expected integer, got 7.5"},
                        {Kind::number, "7.", "!expected integer, got 7."},
                        {Kind::number, "1e3", "!expected integer, got 1e3"},
                        {Kind::boolean, "true", "!expected integer, got true"},
                        {Kind::text, "x", "!expected integer, got \"x\""},
                        {Kind::text, "+5", "!expected integer, got \"+5\""},
                        {Kind::text, "5 ", "!expected integer, got \"5 \""},
                        {Kind::text, "0x10", "!expected integer, got \"0x10\""},
                        {Kind::text, "-", "!expected integer, got \"-\""},
                        {Kind::text, ".0", "!expected integer, got \".0\""},
                        {Kind::text, "--1", "!expected integer, got \"--1\""},
                        {Kind::markup, "1 2", "!expected integer, got \"1 2\""}});
}

TEST(Scalar, QuotesAValueOnlyWhereThatIsHarmless) {
  check(Type::integer,
        {{Kind::text, "jan@example.test", "!expected integer, got a text of 16 bytes"},
         {Kind::text, "a\nb", "!expected integer, got a text of 3 bytes"},
         {Kind::text, "é", "!expected integer, got a text of 2 bytes"},
         {Kind::text, std::string_view("5\0", 2), "!expected integer, got a text of 2 bytes"},
         {Kind::text, "123456789012345678901234567890123x",
          "!expected integer, got a text of 34 bytes"}});
}

TEST(Scalar, ReadsBooleans) {
  check(Type::boolean, {{Kind::boolean, "true", "true"},
                        {Kind::boolean, "false", "false"},
                        {Kind::text, "true", "true"},
                        {Kind::text, "False", "false"},
                        {Kind::markup, " TRUE ", "true"},
                        {Kind::markup, "1", "true"},
                        {Kind::markup, "0", "false"},
                        {Kind::text, "", "null"},
                        {Kind::text, "1", "true"},
                        {Kind::text, "0", "false"},
                        {Kind::number, "1", "true"},
                        {Kind::number, "0", "false"},
                        {Kind::number, "1.0", "true"},
                        {Kind::text, "YES", "true"},
                        {Kind::text, "no", "false"},
                        {Kind::text, "Y", "true"},
                        {Kind::text, "n", "false"},
                        {Kind::text, "T", "true"},
                        {Kind::text, "f", "false"},
                        {Kind::text, "on", "true"},
                        {Kind::markup, "Off", "false"},
                        {Kind::text, "true ", "true"},
                        {Kind::markup, "2", "!expected true or false, got \"2\""},
                        {Kind::number, "-1", "!expected true or false, got -1"},
                        {Kind::text, "maybe", "!expected true or false, got \"maybe\""}});
}

TEST(Scalar, KeepsDecimalsExactly) {
  check(Type::decimal, {{Kind::number, "0.10", "0.10"},
                        {Kind::number, "-12345678901234567890.123456789012345678",
                         "-12345678901234567890.123456789012345678"},
                        {Kind::text, "7", "7"},
                        {Kind::markup, " 7.50 ", "7.50"},
                        {Kind::number, "1e3", "!expected decimal, got 1e3"},
                        {Kind::text, "7,5", "!expected decimal, got \"7,5\""},
                        {Kind::text, ".5", "!expected decimal, got \".5\""},
                        {Kind::text, "5.", "!expected decimal, got \"5.\""},
                        {Kind::text, "1.2.3", "!expected decimal, got \"1.2.3\""},
                        {Kind::text, "-", "!expected decimal, got \"-\""},
                        {Kind::boolean, "true", "!expected decimal, got true"}});
}

TEST(Scalar, KeepsTextAsItCame) {
  for (const Type type : {Type::text, Type::guid}) {
    check(type, {{Kind::text, "", "text "},
                 {Kind::text, "  x ", "text   x "},
                 {Kind::markup, " ", "text  "},
                 {Kind::number, "1.50", "text 1.50"},
                 {Kind::number, "1e400", "text 1e400"},
                 {Kind::boolean, "true", "text true"},
                 {Kind::text, std::string_view("a\0\0b", 4), "text a\uFFFD\uFFFDb"},
                 {Kind::null, "", "null"}});
  }
}

TEST(Scalar, ReadsEnumeratorsByNumberAndName) {
  check(Type::enumeration, {{Kind::number, "3", "3/"},
                            {Kind::text, "3", "3/"},
                            {Kind::text, "-1", "-1/"},
                            {Kind::text, "Pending", "/Pending"},
                            {Kind::markup, "\nNever seen before ", "/Never seen before"},
                            {Kind::text, "", "null"},
                            {Kind::number, "1.5", "!expected number or name, got 1.5"},
                            {Kind::boolean, "true", "!expected number or name, got true"},
                            {Kind::text, "99999999999999999999",
                             "!expected integer of 64 bits, got \"99999999999999999999\""}});
}

TEST(Scalar, ReadsInstantsInTheZoneOfTheService) {
  check(Type::instant, {{Kind::text, "2026-07-01T12:00:00", "2026-07-01T10:00:00Z"},
                        {Kind::text, "2026-07-01T12:00:00+05:00", "2026-07-01T07:00:00Z"},
                        {Kind::markup, " 2026-12-01 ", "2026-11-30T23:00:00Z"},
                        {Kind::text, "0001-01-01T00:00:00", "null"},
                        {Kind::text, " ", "null"},
                        {Kind::number, "1762000000", "!expected date and time, got 1762000000"},
                        {Kind::text, "01-07-2026", "!expected date and time, got \"01-07-2026\""},
                        {Kind::text, "2026-02-30", "!expected date and time, got \"2026-02-30\""},
                        {Kind::boolean, "false", "!expected date and time, got false"}});
}

TEST(Scalar, ReadsBase64) {
  check(Type::base64, {{Kind::text, "aGFsbG8=", "bytes hallo"},
                       {Kind::markup, "\n aGFs\r\n bG8=\n", "bytes hallo"},
                       {Kind::text, "", "null"},
                       {Kind::text, "aGFsbG8", "!expected base64, got a text of 7 bytes"},
                       {Kind::text, "a-_=", "!expected base64, got a text of 4 bytes"},
                       {Kind::number, "1234", "!expected base64, got a text of 4 bytes"},
                       {Kind::boolean, "true", "!expected base64, got true"}});
}

}  // namespace
}  // namespace surveybridge::mapping
