#include "config/clock.hpp"

#include <gtest/gtest.h>

namespace surveybridge::config {
namespace {

using namespace std::chrono_literals;

TEST(Durations, HaveFiveUnits) {
  EXPECT_EQ(read_duration("500ms"), 500ms);
  EXPECT_EQ(read_duration("30s"), 30s);
  EXPECT_EQ(read_duration("5m"), 5min);
  EXPECT_EQ(read_duration("24h"), 24h);
  EXPECT_EQ(read_duration("7d"), 168h);
}

TEST(Durations, AddUpFromLongToShort) {
  EXPECT_EQ(read_duration("1h30m"), 90min);
  EXPECT_EQ(read_duration("1d1h1m1s1ms"), 25h + 61s + 1ms);
}

TEST(Durations, ReadBackWhatTheyWrite) {
  for (const auto each : {1ms, 999ms, 1000ms, 60000ms, 90061001ms, 86400000ms}) {
    EXPECT_EQ(read_duration(write_duration(each)), each);
  }
  EXPECT_EQ(write_duration(90min), "1h30m");
}

TEST(Durations, AreBoundedByACentury) {
  EXPECT_EQ(read_duration("36525d"), 36525 * 24h);
  EXPECT_EQ(read_duration("36525d1ms"), std::nullopt);
  EXPECT_EQ(read_duration("999999999d999999999h"), std::nullopt);
  EXPECT_EQ(read_duration("1000000000ms"), std::nullopt);
}

TEST(Durations, AreNothingElse) {
  for (const char* text : {"",     "0s",
                           "0d0h", "30",
                           "s",    "-5m",
                           "+5m",  "5 m",
                           " 5m",  "5m ",
                           "1.5h", "1,5h",
                           "5M",   "5min",
                           "1m1h", "1m1m",
                           "5µs",  "1h30",
                           "0x5m", "1e3s",
                           "5m\n", "99999999999999999999s"}) {
    EXPECT_EQ(read_duration(text), std::nullopt) << text;
  }
}

TEST(TimesOfDay, CountMinutesFromMidnight) {
  EXPECT_EQ(read_time_of_day("00:00"), 0min);
  EXPECT_EQ(read_time_of_day("10:05"), 605min);
  EXPECT_EQ(read_time_of_day("23:59"), 1439min);
}

TEST(TimesOfDay, AreNothingElse) {
  for (const char* text : {"", "24:00", "12:60", "9:00", "09:0", "0900", "09.00", "-1:00",
                           "09:00:00", "ab:cd", "+1:00"}) {
    EXPECT_EQ(read_time_of_day(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace surveybridge::config
