// Both zones in one sentence, and only where they have another time.
#include "daemon/init/zone_note.hpp"

#include <gtest/gtest.h>

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using std::chrono::hours;

ZoneFacts in_november(const std::string& zone, const std::string& own, int east) {
  return {"delivered_at",
          zone,
          {own, hours{east}},
          TimePoint{std::chrono::sys_days{std::chrono::year{2026} / 11 / 20}} + hours{12}};
}

TEST(ZoneNote, HasBothZonesWithTheirTimes) {
  auto facts = in_november("Europe/Amsterdam", "Etc/UTC", 0);
  EXPECT_EQ(
      zone_note(facts),
      "\"delivered_at\" is read in Europe/Amsterdam, where it is 13:00; the database itself is"
      " set to Etc/UTC, where it is 12:00. Compare a new row with a clock: --time-zone, or"
      " time_zone in the file, sets another zone");
  facts.later = 1;
  EXPECT_NE(zone_note(facts).find("12:00, and 1 row would lie in the future. Compare"),
            std::string::npos);
}

TEST(ZoneNote, IsEmptyWhereBothHaveTheSameTime) {
  EXPECT_EQ(zone_note(in_november("Europe/Amsterdam", "CET", 1)), "");
  EXPECT_EQ(zone_note(in_november("UTC", "Etc/UTC", 0)), "");
  EXPECT_EQ(zone_note(in_november("Europe/London", "UTC", 0)), "") << "in winter";
  auto summer = in_november("Europe/London", "UTC", 0);
  summer.now -= hours{24 * 120};
  EXPECT_NE(zone_note(summer), "");
}

}  // namespace
