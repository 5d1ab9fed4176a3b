// A trouble that repeats: said once, then with its count. The test turns the clock.
#include "daemon/job/log_throttle.hpp"

#include <gmock/gmock.h>

#include "daemon/job/log.hpp"
#include "daemon/job/log_events.hpp"

namespace surveybridge::daemon {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class Throttled : public testing::Test, public Log {
 protected:
  void write(Level level, std::string_view text, const LogFields& fields) override {
    lines_.push_back(line_of(text, fields));
    levels_.push_back(level);
    events_.push_back(fields.event);
  }
  // One report each minute.
  void report(const std::string& text, int times) {
    for (int i = 0; i < times; ++i) {
      throttle_.report(Level::warn, text, {.event = &kTrouble});
      now_ += 1min;
    }
  }

  Duration now_{};
  std::vector<std::string> lines_;
  std::vector<Level> levels_;
  std::vector<const LogEvent*> events_;
  LogThrottle throttle_{*this, "push.orders", [this] { return now_; }};
};

TEST_F(Throttled, ATroubleIsSaidOnceAndThenCountedAtGrowingIntervals) {
  report("HTTP 503", 10);
  EXPECT_THAT(lines_, ElementsAre("push.orders: HTTP 503"));
  report("HTTP 503", 1);
  EXPECT_THAT(lines_, ElementsAre("push.orders: HTTP 503",
                                  "push.orders: HTTP 503 (again, 10 times in 10 min)"));
  report("HTTP 503", 20);
  ASSERT_THAT(lines_, SizeIs(3));
  EXPECT_EQ(lines_.back(), "push.orders: HTTP 503 (again, 20 times in 20 min)");
  lines_.clear();
  report("HTTP 503", 24 * 60);
  EXPECT_THAT(lines_, SizeIs(6)) << "after 40, 80, 160, 320 min, and then every six hours";
  EXPECT_THAT(levels_, testing::Each(Log::Level::warn));
  EXPECT_THAT(events_, testing::Each(&kTrouble));
}

TEST_F(Throttled, WhatIsOverSaysHowManyTriesItTook) {
  throttle_.over();
  EXPECT_THAT(lines_, IsEmpty()) << "there was no trouble";
  report("HTTP 503", 1);
  throttle_.over();
  EXPECT_EQ(lines_.back(), "push.orders: works again after 1 try in 60 s");
  EXPECT_EQ(levels_.back(), Log::Level::info);
  EXPECT_EQ(events_.back(), &kWorksAgain);
  report("HTTP 500", 5);
  throttle_.over();
  EXPECT_EQ(lines_.back(), "push.orders: works again after 5 tries in 5 min");
  lines_.clear();
  now_ += 10min;
  report("HTTP 503", 1);
  EXPECT_THAT(lines_, ElementsAre("push.orders: HTTP 503")) << "begins anew";
}

// A lock that only some statements meet: each second step works.
TEST_F(Throttled, WhatComesAndGoesIsNotSaidEachTime) {
  for (int i = 0; i < 9; ++i) {
    report("locked", 1);
    throttle_.over();
  }
  EXPECT_THAT(lines_,
              ElementsAre("push.orders: locked", "push.orders: works again after 1 try in 60 s"));
  lines_.clear();
  report("locked", 3);
  throttle_.over();
  EXPECT_THAT(lines_, SizeIs(2)) << "it came three times in a row";
}

TEST_F(Throttled, TroublesThatTakeTurnsAreEachSaidOnce) {
  for (int i = 0; i < 4; ++i) {
    report("not connected", 1);
    report("time-out", 1);
  }
  EXPECT_THAT(lines_, ElementsAre("push.orders: not connected", "push.orders: time-out"));
}

// A text that is new each time says something each time; what is remembered stays bounded.
TEST_F(Throttled, ManyTextsAreForgottenInTheirOrder) {
  for (int i = 0; i < 9; ++i)
    report("trouble " + std::to_string(i), 1);
  report("trouble 8", 1);
  EXPECT_THAT(lines_, SizeIs(9));
  report("trouble 0", 1);
  EXPECT_THAT(lines_, SizeIs(10)) << "eight others were said since";
}

}  // namespace
}  // namespace surveybridge::daemon
