#include "mapping/values/dates.hpp"

#include <gtest/gtest.h>

namespace surveybridge::mapping {
namespace {

using namespace std::chrono;

// The value as it would be written; empty for a text that is no date.
std::string read(std::string_view text) {
  const auto date = read_date(text);
  if (!date) return "";
  if (const auto* instant = std::get_if<Instant>(&date->value)) return write_instant(*instant);
  if (const auto* local = std::get_if<LocalTime>(&date->value)) return write_local(*local);
  return "unset";
}

struct DateCase {
  std::string_view text, expected;
};

TEST(Dates, ReadsEveryFormOfTheService) {
  const DateCase cases[] = {
      {"2026-11-01", "2026-11-01T00:00:00"},
      {"2026-11-01T10:00", "2026-11-01T10:00:00"},
      {"2026-11-01 10:00", "2026-11-01T10:00:00"},
      {"2026-11-01T10:00:07", "2026-11-01T10:00:07"},
      {"2026-11-01T10:00Z", "2026-11-01T10:00:00Z"},
      {"2026-11-01T10:00:00Z", "2026-11-01T10:00:00Z"},
      {"2026-11-01T10:00:00+01:00", "2026-11-01T09:00:00Z"},
      {"2026-11-01T10:00:00-01:00", "2026-11-01T11:00:00Z"},
      {"2026-11-01T10:00:00+0530", "2026-11-01T04:30:00Z"},
      {"2026-11-01 10:00:00.5+01", "2026-11-01T09:00:00.5Z"},
      {"2026-11-01T00:30:00+01:00", "2026-10-31T23:30:00Z"},
      {"2026-12-31T23:30:00-01:00", "2027-01-01T00:30:00Z"},
      {"2026-11-01T10:00:00+14:00", "2026-10-31T20:00:00Z"},
      {"2026-11-01T10:00:00-00:00", "2026-11-01T10:00:00Z"},
      {"1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"},
      {"0001-01-02T00:00:00Z", "0001-01-02T00:00:00Z"},
      {"0001-01-01T00:00:00.000001Z", "0001-01-01T00:00:00.000001Z"},
      {"9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_EQ(read(text), expected) << text;
}

TEST(Dates, KeepsMicrosecondsAndTellsWhatItCut) {
  const struct {
    std::string_view text, expected;
    bool finer;
  } cases[] = {
      {"2026-11-01T10:00:00.1Z", "2026-11-01T10:00:00.1Z", false},
      {"2026-11-01T10:00:00.000001Z", "2026-11-01T10:00:00.000001Z", false},
      {"2026-11-01T10:00:00.123456Z", "2026-11-01T10:00:00.123456Z", false},
      {"2026-11-01T10:00:00.1234560Z", "2026-11-01T10:00:00.123456Z", false},
      {"2026-11-01T10:00:00.123456000Z", "2026-11-01T10:00:00.123456Z", false},
      {"2026-11-01T10:00:00.1234567Z", "2026-11-01T10:00:00.123456Z", true},
      {"2026-11-01T10:00:00.123456001Z", "2026-11-01T10:00:00.123456Z", true},
      {"1969-12-31T23:59:59.9999999Z", "1969-12-31T23:59:59.999999Z", true},
      {"9999-12-31T23:59:59.9999999", "9999-12-31T23:59:59.999999", true},
  };
  for (const auto& [text, expected, finer] : cases) {
    EXPECT_EQ(read(text), expected) << text;
    EXPECT_EQ(read_date(text)->finer, finer) << text;
  }
}

TEST(Dates, ReadsTheUnsetDateAsNull) {
  for (const auto* text :
       {"0001-01-01", "0001-01-01T00:00", "0001-01-01T00:00:00", "0001-01-01T00:00:00Z",
        "0001-01-01T00:00:00+01:00", "0001-01-01 00:00:00-0500", "0001-01-01T00:00:00.0000000",
        "0001-01-01T01:00+01", "0001-01-01T05:30:00+05:30"}) {
    EXPECT_EQ(read(text), "unset") << text;
  }
}

TEST(Dates, KnowsTheDaysOfEveryMonth) {
  const DateCase cases[] = {
      {"2028-02-29", "2028-02-29T00:00:00"},
      {"2000-02-29", "2000-02-29T00:00:00"},
      {"2026-02-29", ""},
      {"1900-02-29", ""},
      {"2100-02-29", ""},
      {"2026-02-30", ""},
      {"2026-04-31", ""},
      {"2026-12-31", "2026-12-31T00:00:00"},
      {"2026-12-32", ""},
      {"2026-00-10", ""},
      {"2026-13-01", ""},
      {"2026-01-00", ""},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_EQ(read(text), expected) << text;
}

TEST(Dates, RefusesWhatIsNotWhollyADate) {
  for (const auto* text : {"",
                           " ",
                           "now",
                           "null",
                           "2026",
                           "2026-11",
                           "2026-11-1",
                           "26-11-01",
                           "02026-11-01",
                           "+2026-11-01",
                           "-2026-11-01",
                           "0000-01-01",
                           "10000-01-01",
                           "2026/11/01",
                           "01-11-2026",
                           "20261101",
                           "2026-11-01x",
                           "2026-11-01 ",
                           " 2026-11-01",
                           "2026-11-01T",
                           "2026-11-01Z",
                           "2026-11-01+01:00",
                           "2026-11-01T10",
                           "2026-11-01T10Z",
                           "2026-11-01T1:00",
                           "2026-11-01T24:00:00",
                           "2026-11-01T10:60",
                           "2026-11-01T10:00:60",
                           "2026-11-01T10:00:",
                           "2026-11-01T10:00:0",
                           "2026-11-01T10:00:00.",
                           "2026-11-01T10:00:00.Z",
                           "2026-11-01T10:00:00,5Z",
                           "2026-11-01T10:00:00.1234567890Z",
                           "2026-11-01T10:00.5",
                           "2026-11-01t10:00:00Z",
                           "2026-11-01  10:00:00",
                           "2026-11-01T10:00:00z",
                           "2026-11-01T10:00:00 Z",
                           "2026-11-01T10:00:00ZZ",
                           "2026-11-01T10:00:00+",
                           "2026-11-01T10:00:00+1",
                           "2026-11-01T10:00:00+1:00",
                           "2026-11-01T10:00:00+01:",
                           "2026-11-01T10:00:00+010",
                           "2026-11-01T10:00:00+01:00:00",
                           "2026-11-01T10:00:00+01:60",
                           "2026-11-01T10:00:00+14:01",
                           "2026-11-01T10:00:00-15",
                           "2026-11-01T10:00:00 01:00",
                           "2026-11-01T10:00:00 Europe/Amsterdam",
                           "/Date(1762000000000)/",
                           "Sun, 01 Nov 2026 10:00:00 GMT",
                           "infinity",
                           "२०२६-११-०१"}) {
    EXPECT_EQ(read(text), "") << text;
  }
  EXPECT_FALSE(read_date(std::string_view("2026-11-01\0", 11)));
}

TEST(Dates, RefusesAnOffsetThatLeavesTheCalendar) {
  EXPECT_EQ(read("9999-12-31T23:59:59-00:01"), "");
  EXPECT_EQ(read("0001-01-01T12:00:00+13:00"), "");
  EXPECT_EQ(read("9999-12-31T23:59:59+01:00"), "9999-12-31T22:59:59Z");
}

TEST(Dates, WritesInstantsWithOnlyTheDigitsTheyHave) {
  const Instant whole = sys_days{2026y / 11 / 1} + 10h;
  EXPECT_EQ(write_instant(whole), "2026-11-01T10:00:00Z");
  EXPECT_EQ(write_instant(whole + 120ms), "2026-11-01T10:00:00.12Z");
  EXPECT_EQ(write_instant(whole + 1us), "2026-11-01T10:00:00.000001Z");
  EXPECT_EQ(write_instant(sys_days{1y / 1 / 1}), "0001-01-01T00:00:00Z");
  EXPECT_EQ(write_local(LocalTime{whole.time_since_epoch()}), "2026-11-01T10:00:00");
}

TEST(Dates, WritesTimestampsWithAllSixDigits) {
  EXPECT_EQ(write_timestamp(sys_days{2026y / 11 / 1} + 10h), "2026-11-01 10:00:00.000000");
  EXPECT_EQ(write_timestamp(sys_days{1969y / 12 / 31} + 23h + 1us), "1969-12-31 23:00:00.000001");
}

}  // namespace
}  // namespace surveybridge::mapping
