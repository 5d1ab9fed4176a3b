// The progress of a job and its remaining time, with a clock that the test sets.
#include <gtest/gtest.h>

#include "daemon/commands/progress.hpp"

namespace {

using namespace surveybridge::daemon;
using namespace std::chrono_literals;

Course course(std::int64_t done, std::int64_t of, Duration elapsed) {
  Course course;
  course.job = "push.orders";
  course.now.done = done;
  course.now.share = {done, of};
  course.elapsed = course.moved = elapsed;
  return course;
}

TEST(TimeLeft, GoesByThePaceSoFar) {
  EXPECT_EQ(time_left(course(100, 400, 10s)), 30s);
  EXPECT_EQ(time_left(course(399, 400, 10s)), 1s) << "rounded up";
  EXPECT_EQ(time_left(course(400, 400, 10s)), 0s);
}

TEST(TimeLeft, CountsOnlyWhatThisRunHasDone) {
  Course resumed = course(300, 400, 10s);
  resumed.begun.share = {200, 400};
  EXPECT_EQ(time_left(resumed), 10s);
}

TEST(TimeLeft, IsNotGuessed) {
  EXPECT_FALSE(time_left(course(100, 0, 10s))) << "nobody knows how much there is";
  EXPECT_FALSE(time_left(course(0, 400, 10s))) << "nothing has moved";
  EXPECT_FALSE(time_left(course(100, 400, 1s))) << "too early";
  EXPECT_FALSE(time_left(course(401, 400, 10s))) << "there is more than was thought";
  EXPECT_FALSE(time_left(course(1, INT64_MAX, 24h))) << "for ever";
  Course stuck = course(31, 32, 62s);
  EXPECT_TRUE(time_left(stuck));
  stuck.elapsed += 4s;
  EXPECT_FALSE(time_left(stuck)) << "the last one is of another kind";
  Course back = course(100, 400, 10s);
  back.begun.share = {200, 400};
  EXPECT_FALSE(time_left(back)) << "it went back";
}

TEST(ProgressLine, ShowsBarRateAndTimeLeft) {
  EXPECT_EQ(progress_line(course(1200, 3000, 4s), true, 120),
            "push.orders               [####------]  6 s left  1200 rows  300/s");
  EXPECT_EQ(progress_line(course(1200, 3000, 4s), false, 120),
            "push.orders               6 s left  1200 rows  300/s");
  EXPECT_EQ(progress_line(course(10, 1000, 10s), false, 120),
            "push.orders               17 min left  10 rows  1/s");
  EXPECT_EQ(progress_line(course(1, 10'000, 10s), false, 120),
            "push.orders               28 h left  1 rows  0/s");
}

TEST(ProgressLine, ShowsNoBarWhereNobodyKnows) {
  EXPECT_EQ(progress_line(course(1200, 0, 4s), true, 120),
            "push.orders               1200 rows  300/s");
  EXPECT_EQ(progress_line(course(0, 0, 0s), true, 120), "push.orders               0 rows  0/s");
}

TEST(ProgressLine, SaysWhyItWaitsAndKeepsToItsLine) {
  Course waiting = course(5, 10, 1s);
  waiting.now.trouble = "é is no row";
  EXPECT_EQ(progress_line(waiting, false, 120),
            "push.orders               5 rows  5/s  é is no row");
  EXPECT_EQ(progress_line(waiting, false, 40), "push.orders               5 rows  5/s  é");
  EXPECT_EQ(progress_line(waiting, false, 0), "");
}

}  // namespace
