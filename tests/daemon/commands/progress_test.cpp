// What is shown of long work, and when: on a terminal that is a text, in a log that is kept, by a
// clock that the test turns.
#include "daemon/commands/progress.hpp"

#include <sstream>

#include <gmock/gmock.h>

#include "tests/in_process/instance.hpp"

namespace {

using namespace surveybridge::daemon;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kCleared = "\r\x1b[K";

JobStatus stands(std::int64_t done, const std::string& trouble = "") {
  JobStatus status;
  status.done = done;
  status.trouble = trouble;
  return status;
}

class ProgressShown : public testing::Test {
 protected:
  Screen terminal() {
    return {shown_, [] { return std::size_t{120}; }, [this] { return uptime_; }};
  }
  Screen elsewhere() {
    return {shown_, {}, [this] { return uptime_; }};
  }
  std::size_t times(const std::string& part) const {
    const std::string text = shown_.str();
    std::size_t count = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1))
      ++count;
    return count;
  }
  // A clock of jobs whose waits turn this one.
  SyncClock turning() {
    return {[this] { return TimePoint{uptime_}; },
            [this](TimePoint until) {
              uptime_ = std::max(uptime_, until.time_since_epoch());
              return uptime_ < stops_at_;
            }};
  }

  std::ostringstream shown_;
  in_process::KeptLog log_;
  Duration uptime_ = 1h, stops_at_ = 100h;
};

TEST_F(ProgressShown, SaysNothingOfShortWorkWhereNobodyWatches) {
  Progress progress(log_, elsewhere());
  for (int second = 0; second < 10; ++second, uptime_ += 1s)
    progress.show("push.orders", stands(second));
  progress.clear();
  EXPECT_THAT(log_.lines(), IsEmpty());
  EXPECT_EQ(shown_.str(), "");
}

TEST_F(ProgressShown, IsALineInTenSecondsWhateverTheJobAndFewerLater) {
  Progress progress(log_, elsewhere());
  const auto work_for = [&](int seconds) {
    for (int second = 0; second < seconds; ++second) {
      uptime_ += 1s;
      progress.show(second < 34 ? "pull.customers" : "push.orders", stands(2 * second));
    }
  };
  work_for(60);
  ASSERT_THAT(log_.lines(), SizeIs(6));
  EXPECT_THAT(log_.lines().front(), EndsWith("  18 rows  2/s"));
  work_for(540);
  EXPECT_LT(log_.lines().size(), 35u);
  EXPECT_GT(log_.lines().size(), 20u);
  EXPECT_EQ(shown_.str(), "") << "there is no line to rewrite";
}

TEST_F(ProgressShown, IsARewrittenLineOnATerminal) {
  Progress progress(log_, terminal());
  progress.expect("move", [](std::int64_t) { return 1000; });
  progress.show("move", stands(100));
  EXPECT_THAT(shown_.str(), HasSubstr(std::string(kCleared) + "move "));
  EXPECT_THAT(shown_.str(), HasSubstr("[#---------]"));
  uptime_ += 50ms;
  progress.show("move", stands(200));
  EXPECT_EQ(times(kCleared), 1u) << "ten times a second are enough";
  uptime_ += 50ms;
  progress.show("move", stands(300));
  EXPECT_EQ(times(kCleared), 2u);
  EXPECT_THAT(shown_.str(), HasSubstr("[###-------]"));
  progress.clear();
  EXPECT_THAT(shown_.str(), EndsWith(kCleared));
  EXPECT_THAT(log_.lines(), IsEmpty());
}

// Counting may take long: it is worth it for whoever reads the answer.
TEST_F(ProgressShown, AsksHowMuchThereIsOnceAndForALineOnly) {
  Progress progress(log_, elsewhere());
  int asked = 0;
  progress.expect("push.orders", [&](std::int64_t done) {
    ++asked;
    return done + 300;
  });
  uptime_ += 9s;
  progress.show("push.orders", stands(90));
  EXPECT_EQ(asked, 0);
  uptime_ += 1s;
  progress.show("push.orders", stands(100));
  uptime_ += 10s;
  progress.show("push.orders", stands(200));
  EXPECT_EQ(asked, 1);
  EXPECT_THAT(log_.lines(), ElementsAre(HasSubstr("30 s left  100 rows  10/s"),
                                        HasSubstr("20 s left  200 rows  10/s")));
}

TEST_F(ProgressShown, MeasuresAJobFromTheEndOfTheOneBefore) {
  Progress progress(log_, elsewhere());
  uptime_ += 8s;
  progress.show("pull.customers", stands(8000));
  uptime_ += 4s;
  progress.show("push.orders", stands(40));
  EXPECT_THAT(log_.lines(), ElementsAre(HasSubstr("  40 rows  10/s")));
}

TEST_F(ProgressShown, GoesOnWhileAJobWaits) {
  Progress progress(log_, elsewhere());
  const SyncClock clock = progress.watched(turning());
  progress.show("push.orders", stands(0, "the service asks to wait"));
  EXPECT_TRUE(clock.wait_until(clock.now() + 25s));
  EXPECT_EQ(uptime_, 1h + 25s);
  EXPECT_THAT(log_.lines(), ElementsAre(HasSubstr("the service asks to wait"),
                                        HasSubstr("the service asks to wait")));
  stops_at_ = uptime_ + 3s;
  EXPECT_FALSE(clock.wait_until(clock.now() + 1h));
  EXPECT_LT(uptime_, 1h + 30s) << "a stop ends the wait";
}

TEST_F(ProgressShown, MakesRoomForALineOfTheLog) {
  Progress progress(log_, terminal());
  progress.show("push.orders", stands(5));
  progress.log().warn("3 rows quarantined", {.job = "push.orders"});
  EXPECT_THAT(shown_.str(), EndsWith(kCleared));
  EXPECT_THAT(log_.lines(), ElementsAre("push.orders: 3 rows quarantined"));
  progress.log().info("one more");
  EXPECT_EQ(times(kCleared), 2u) << "nothing was shown between the two";
}

}  // namespace
