// The learned rate against a limit, in a loop without clock, random numbers or waiting.
#include "daemon/pace/learned_rate.hpp"

#include <gtest/gtest.h>

namespace {

using namespace surveybridge::daemon;
using namespace std::chrono_literals;

constexpr TimePoint kStart{};

// A service with a bucket, and a client that always wants more and gets each answer at once.
struct Bench {
  LearnedRate rate{200};
  double allowed = 20, burst = 20, tokens = 20;
  TimePoint now = kStart;
  int accepted = 0, refused = 0;

  Duration gap() const { return Duration{static_cast<std::int64_t>(1e6 / rate.per_second())}; }

  void one() {
    const Duration step = rate.is_blocked() ? Duration{1s} : gap();
    now += step;
    tokens = std::min(burst, tokens + allowed * std::chrono::duration<double>(step).count());
    rate.sent(now, true);
    if (tokens >= 1) {
      tokens -= 1;
      ++accepted;
      rate.accepted(now);
    } else {
      ++refused;
      rate.refused(now);
    }
  }
  void run_for(Duration length) {
    for (const TimePoint end = now + length; now < end;)
      one();
  }
  void count_afresh() { accepted = refused = 0; }
};

TEST(LearnedRate, StartsGentlyAndDoublesUntilSomethingIsKnown) {
  LearnedRate rate(1000);
  EXPECT_LE(rate.per_second(), 2);
  TimePoint now = kStart;
  for (int i = 0; i < 400; ++i) {
    rate.sent(now, true);
    rate.accepted(now);
    now += 10ms;
  }
  EXPECT_GT(rate.per_second(), 20);
}

TEST(LearnedRate, NeverPassesTheCeiling) {
  LearnedRate rate(7);
  TimePoint now = kStart;
  for (int i = 0; i < 1000; ++i) {
    rate.sent(now, true);
    rate.accepted(now);
    now += 100ms;
  }
  EXPECT_DOUBLE_EQ(rate.per_second(), 7);
}

TEST(LearnedRate, NeverPassesItsShareOfACeilingHoweverLow) {
  LearnedRate rate(0.3);
  rate.share(2);
  EXPECT_DOUBLE_EQ(rate.per_second(), 0.15);
  rate.sent(kStart, true);
  EXPECT_DOUBLE_EQ(rate.per_second(), 0.15);
  rate.recall({10, 10});
  EXPECT_DOUBLE_EQ(rate.per_second(), 0.15);
}

TEST(LearnedRate, DoesNotGrowWithoutWaitingDemand) {
  LearnedRate rate(1000);
  const double before = rate.per_second();
  TimePoint now = kStart;
  for (int i = 0; i < 100; ++i) {
    rate.sent(now, false);
    rate.accepted(now);
    now += 1s;
  }
  EXPECT_DOUBLE_EQ(rate.per_second(), before);
}

TEST(LearnedRate, UsesWhatABucketAllowsWithFewRefusals) {
  Bench bench;
  bench.run_for(1min);
  bench.count_afresh();
  bench.run_for(15min);
  EXPECT_GE(bench.accepted, 0.95 * 20 * 900);
  EXPECT_LE(bench.refused, 0.005 * bench.accepted);
  EXPECT_GE(bench.refused, 1);  // without a refusal there was no probe
}

TEST(LearnedRate, FollowsALimitThatHalvesWithinSeconds) {
  Bench bench;
  bench.run_for(3min);
  bench.allowed = 10;
  bench.run_for(20s);
  bench.count_afresh();
  bench.run_for(20s);
  EXPECT_LE(bench.rate.per_second(), 12.5);
  EXPECT_GE(bench.accepted, 0.9 * 10 * 20);
}

TEST(LearnedRate, FindsALimitThatHasRisen) {
  Bench bench;
  bench.allowed = 10;
  bench.run_for(5min);
  bench.allowed = 20;
  bench.run_for(3min);
  EXPECT_GE(bench.rate.per_second(), 18);
}

TEST(LearnedRate, IsNotTaughtByTheWaitOfASpentQuota) {
  Bench bench;
  bench.run_for(3min);
  const double before = bench.rate.learned().edge;
  bench.rate.sent(bench.now, true);
  bench.rate.refused(bench.now);
  bench.now += 10h;
  bench.rate.sent(bench.now, true);
  bench.rate.accepted(bench.now);
  EXPECT_DOUBLE_EQ(bench.rate.learned().edge, before);
}

// A limit of one a minute is slower than any rate that is kept: what is kept instead says nothing.
TEST(LearnedRate, IsFoundAnewAfterALimitThatWasSlowerThanAnyThatIsKept) {
  for (const double limit : {1.0 / 60, 0.04, 0.15}) {
    Bench bench;
    bench.run_for(3min);
    bench.allowed = limit;
    bench.burst = bench.tokens = 1;
    bench.run_for(20min);
    EXPECT_LT(bench.rate.per_second(), 0.25) << limit;
    bench.allowed = bench.burst = 20;
    bench.run_for(20min);
    EXPECT_GE(bench.rate.per_second(), 10) << limit;
  }
}

TEST(LearnedRate, UsesWhatABucketWithoutABurstAllows) {
  Bench bench;
  bench.burst = 1;
  bench.run_for(3min);
  bench.count_afresh();
  bench.run_for(15min);
  EXPECT_GE(bench.accepted, 0.9 * 20 * 900);
  EXPECT_LE(bench.refused, 0.005 * bench.accepted);
}

TEST(LearnedRate, SeveralRefusalsOfOneEventLowerItOnce) {
  Bench one, four;
  one.run_for(2min);
  four.run_for(2min);
  one.rate.refused(one.now);
  for (int i = 0; i < 4; ++i)
    four.rate.refused(four.now);
  one.rate.accepted(one.now + 1s);
  four.rate.accepted(four.now + 1s);
  EXPECT_DOUBLE_EQ(one.rate.per_second(), four.rate.per_second());
}

TEST(LearnedRate, AnAcceptanceOfARequestFromBeforeTheRefusalEndsNothing) {
  LearnedRate rate(100);
  rate.sent(kStart + 1s, true);
  rate.refused(kStart + 2s);
  rate.accepted(kStart + 1s);
  EXPECT_TRUE(rate.is_blocked());
  rate.accepted(kStart + 3s);
  EXPECT_FALSE(rate.is_blocked());
}

TEST(LearnedRate, IsFoundAgainWithoutANewClimb) {
  Bench before;
  before.run_for(5min);
  Bench after;
  after.rate.recall(before.rate.learned());
  EXPECT_DOUBLE_EQ(after.rate.per_second(), before.rate.per_second());
  after.run_for(5min);
  EXPECT_GE(after.accepted, 0.95 * 20 * 300);
  EXPECT_LE(after.refused, 0.005 * after.accepted);
}

TEST(LearnedRate, RecallsNothingFromNonsense) {
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    LearnedRate rate(100);
    const double fresh = rate.per_second();
    rate.recall({bad, 5});
    EXPECT_DOUBLE_EQ(rate.per_second(), fresh) << bad;
  }
  LearnedRate rate(100);
  rate.recall({1e9, 1e9});
  EXPECT_DOUBLE_EQ(rate.per_second(), 100);
}

}  // namespace
