#include "sandbox/model/time.hpp"

#include <gtest/gtest.h>

namespace sandbox {
namespace {

using namespace std::chrono_literals;

std::string again(std::string_view text) {
  const auto read = read_date(text);
  return read ? write_date(read->instant(0min), {}) : "refused";
}

TEST(Dates, AreReadInAllTheirForms) {
  EXPECT_EQ(again("2026-03-02T12:00:00Z"), "2026-03-02T12:00:00Z");
  EXPECT_EQ(again("2026-03-02T12:00:00.123456Z"), "2026-03-02T12:00:00.123456Z");
  EXPECT_EQ(again("2026-03-02T12:00:00.123456789Z"), "2026-03-02T12:00:00.123456Z");
  EXPECT_EQ(again("2026-03-02T12:00:00.5+01:00"), "2026-03-02T11:00:00.5Z");
  EXPECT_EQ(again("2026-03-02T12:00:00-05:30"), "2026-03-02T17:30:00Z");
  EXPECT_EQ(again("2026-03-02T12:00+01:00"), "2026-03-02T11:00:00Z");
  EXPECT_EQ(again("2026-03-02"), "2026-03-02T00:00:00Z");
  EXPECT_EQ(again("0001-01-01T10:00:00Z"), "0001-01-01T10:00:00Z");
  EXPECT_EQ(again("2024-02-29T23:59:59Z"), "2024-02-29T23:59:59Z");
}

TEST(Dates, AreRefusedWhenWrong) {
  for (const char* text : {"",
                           "2026",
                           "2026-3-2",
                           "2026-13-01",
                           "2026-00-10",
                           "2025-02-29",
                           "2026-03-02T",
                           "noon",
                           "2026-03-02T24:00:00Z",
                           "2026-03-02T12:60:00Z",
                           "2026-03-02T12:00:60Z",
                           "2026-03-02T12:00:00.Z",
                           "2026-03-02T12:00:00.1234567890Z",
                           "2026-03-02T12:00:00 01:00",
                           "2026-03-02T12:00:00+1:00",
                           "2026-03-02T12:00:00+15:00",
                           "2026-03-02T12:00:00Zulu",
                           "2026-03-02 12:00:00Z",
                           " 2026-03-02",
                           "2026-03-02Z",
                           "+2026-03-02",
                           "2026-03-02T12Z"}) {
    EXPECT_EQ(again(text), "refused") << text;
  }
}

// A zone's offset would lead out of the years that four digits can write.
TEST(Dates, AreNeverWrittenOutsideOfTheYears1To9999) {
  using Zone = DateStyle::Zone;
  const TimePoint first = read_date("0001-01-01T00:00:00Z")->instant(0min);
  EXPECT_EQ(write_date(first, {-1, Zone::offset, -570min}), "0001-01-01T00:00:00-09:30");
  EXPECT_EQ(write_date(first - 14h, {}), "0001-01-01T00:00:00Z");
  const TimePoint last = read_date("9999-12-31T23:59:59Z")->instant(0min);
  EXPECT_EQ(write_date(last, {0, Zone::offset, 60min}), "9999-12-31T23:59:59+01:00");
  EXPECT_EQ(again("0001-01-01T00:00:00+14:00"), "refused");
  EXPECT_EQ(again("9999-12-31T23:00:00-14:00"), "refused");
  EXPECT_EQ(again("0000-01-01T00:00:00Z"), "refused");
}

TEST(Dates, AreWrittenInTheStyleOfADeployment) {
  const TimePoint instant = read_date("2026-03-02T23:30:00.12Z")->instant(0min);
  using Zone = DateStyle::Zone;
  EXPECT_EQ(write_date(instant, {0, Zone::z, 0min}), "2026-03-02T23:30:00Z");
  EXPECT_EQ(write_date(instant, {7, Zone::z, 0min}), "2026-03-02T23:30:00.1200000Z");
  EXPECT_EQ(write_date(instant, {1, Zone::offset, 60min}), "2026-03-03T00:30:00.1+01:00");
  EXPECT_EQ(write_date(instant, {-1, Zone::offset, -570min}), "2026-03-02T14:00:00.12-09:30");
  EXPECT_EQ(write_date(instant, {3, Zone::none, 60min}), "2026-03-03T00:30:00.120");
  EXPECT_EQ(write_http_date(instant), "Mon, 02 Mar 2026 23:30:00 GMT");
}

TEST(Durations, AreReadWithTheirUnits) {
  EXPECT_EQ(read_duration("90s"), 90s);
  EXPECT_EQ(read_duration("3d12h"), 84h);
  EXPECT_EQ(read_duration("250ms"), 250ms);
  for (const char* text : {"", "5", "s", "-5s", "5x", "5s5", "1.5h", "9999999999d", "999999999d"}) {
    EXPECT_FALSE(read_duration(text)) << text;
  }
}

}  // namespace
}  // namespace sandbox
