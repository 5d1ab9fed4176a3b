#include <stdexcept>

#include <gtest/gtest.h>

#include "config/clock.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::mapping {
namespace {

LocalTime local(std::string_view text) {
  return std::get<LocalTime>(read_date(text)->value);
}

std::string amsterdam(std::string_view text) {
  return write_instant(in_zone(local(text), "Europe/Amsterdam"));
}

TEST(Zones, ReadsAWallClockInSummerAndWinter) {
  EXPECT_EQ(amsterdam("2026-01-15 12:00"), "2026-01-15T11:00:00Z");
  EXPECT_EQ(amsterdam("2026-07-15 12:00"), "2026-07-15T10:00:00Z");
  EXPECT_EQ(amsterdam("2028-02-29 00:30"), "2028-02-28T23:30:00Z");
  EXPECT_EQ(amsterdam("2026-07-15 12:00:00.123456"), "2026-07-15T10:00:00.123456Z");
}

TEST(Zones, ReadsTheGapOfSpringWithTheOffsetBeforeIt) {
  EXPECT_EQ(amsterdam("2026-03-29 01:59:59.999999"), "2026-03-29T00:59:59.999999Z");
  EXPECT_EQ(amsterdam("2026-03-29 02:00"), "2026-03-29T01:00:00Z");
  EXPECT_EQ(amsterdam("2026-03-29 02:30"), "2026-03-29T01:30:00Z");  // 03:30 summer time
  EXPECT_EQ(amsterdam("2026-03-29 03:00"), "2026-03-29T01:00:00Z");
}

TEST(Zones, TakesTheFirstOfTwoInTheOverlapOfAutumn) {
  EXPECT_EQ(amsterdam("2026-10-25 01:59"), "2026-10-24T23:59:00Z");
  EXPECT_EQ(amsterdam("2026-10-25 02:30"), "2026-10-25T00:30:00Z");
  EXPECT_EQ(amsterdam("2026-10-25 03:00"), "2026-10-25T02:00:00Z");
}

TEST(Zones, GivesTheWallClockOfAnInstant) {
  const auto clock = [](std::string_view text) {
    return write_local(to_zone(std::get<Instant>(read_date(text)->value), "Europe/Amsterdam"));
  };
  EXPECT_EQ(clock("2026-03-29T00:59:59Z"), "2026-03-29T01:59:59");
  EXPECT_EQ(clock("2026-03-29T01:00:00Z"), "2026-03-29T03:00:00");
  EXPECT_EQ(clock("2026-10-25T00:30:00Z"), "2026-10-25T02:30:00");
  EXPECT_EQ(clock("2026-10-25T01:30:00.5Z"), "2026-10-25T02:30:00.5");
}

TEST(Zones, KeepsTheEndsOfTheCalendarInside) {
  EXPECT_EQ(write_instant(in_zone(local("9999-12-31 23:59:59"), "America/New_York")),
            "9999-12-31T23:59:59.999999Z");
  EXPECT_EQ(write_instant(in_zone(local("0001-01-01 00:00:01"), "Asia/Tokyo")),
            "0001-01-01T00:00:00.000001Z");
}

TEST(Zones, KnowsTheNamesOfTheSystem) {
  for (const auto* name : {"UTC", "Europe/Amsterdam", "Asia/Kolkata"})
    EXPECT_TRUE(config::is_zone(name));
  for (const auto* name : {"", "Europe", "Europe/Atlantis", "europe/amsterdam", "CET+1",
                           "../etc/passwd", "/etc/localtime"}) {
    EXPECT_FALSE(config::is_zone(name)) << name;
  }
}

TEST(Zones, ThrowsForAZoneThatNobodyChecked) {
  EXPECT_THROW(in_zone(local("2026-01-01"), "Europe/Atlantis"), std::runtime_error);
  EXPECT_THROW(to_zone(Instant{}, ""), std::runtime_error);
}

}  // namespace
}  // namespace surveybridge::mapping
