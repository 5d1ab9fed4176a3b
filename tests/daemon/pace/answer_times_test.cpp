// For how long the service has answered, for who wants to know what its silence means. Time is an
// argument.
#include "daemon/pace/answer_times.hpp"

#include <gtest/gtest.h>

#include "tests/daemon/pace/exchange.hpp"

namespace {

using namespace surveybridge::daemon;
using namespace std::chrono_literals;
using pace_test::answer;
using pace_test::exchange;
using pace_test::kStarted;
TEST(AnswerTimes, KnowsForHowLongAServiceHasAnsweredSinceItWasAway) {
  RateLimiter rule({4, 100});
  EXPECT_EQ(rule.answering(kStarted, 24h), Duration{0}) << "nobody has asked it";
  exchange(rule, kStarted, answer(PaceAnswer::Kind::accepted, kStarted));
  EXPECT_EQ(rule.answering(kStarted + 1h, 24h), Duration{1h});
  exchange(rule, kStarted + 1h, answer(PaceAnswer::Kind::failed, kStarted + 1h));
  EXPECT_EQ(rule.answering(kStarted + 1h + 9s, 24h), Duration{1h + 9s})
      << "a failure is no outage yet";
  EXPECT_FALSE(rule.has_been_away(kStarted + 1h + 9s));
  EXPECT_EQ(rule.answering(kStarted + 1h + 10s, 24h), Duration{0});
  EXPECT_TRUE(rule.has_been_away(kStarted + 1h + 10s));
  exchange(rule, kStarted + 2h, answer(PaceAnswer::Kind::failed, kStarted + 2h));
  EXPECT_EQ(rule.answering(kStarted + 2h, 24h), Duration{0});
  exchange(rule, kStarted + 3h, answer(PaceAnswer::Kind::refused, kStarted + 3h, 1s));
  EXPECT_EQ(rule.answering(kStarted + 3h + 7s, 24h), Duration{7s}) << "a refusal is an answer";
  exchange(rule, kStarted + 4h, answer(PaceAnswer::Kind::failed, kStarted + 4h));
  exchange(rule, kStarted + 4h + 5s, answer(PaceAnswer::Kind::accepted, kStarted + 4h + 5s));
  EXPECT_EQ(rule.answering(kStarted + 4h + 5s, 24h), Duration{1h + 5s})
      << "too short for an outage";
  EXPECT_TRUE(rule.has_been_away(kStarted + 4h + 5s));
}

// What the service did while nobody asked it is not known: a row that came into doubt then counts
// from the next answer on.
TEST(AnswerTimes, CountsOnlyAnswersSinceARowCameIntoDoubt) {
  RateLimiter rule({4, 100});
  for (const auto at : {0s, 1s, 12s, 25s})
    exchange(rule, kStarted + at, answer(PaceAnswer::Kind::accepted, kStarted + at));
  exchange(rule, kStarted + 1h, answer(PaceAnswer::Kind::accepted, kStarted + 1h));
  const TimePoint now = kStarted + 1h + 60s;
  EXPECT_EQ(rule.answering(now, 2h), Duration{1h + 60s});
  EXPECT_EQ(rule.answering(now, 1h + 55s), Duration{1h + 48s});
  EXPECT_EQ(rule.answering(now, 1h), Duration{60s});
  EXPECT_EQ(rule.answering(now, 59s), Duration{0});
}

// A request that was sent before the last answer does not tell of the time before that answer.
TEST(AnswerTimes, AFailureBesideAnswersIsNoOutage) {
  RateLimiter rule({4, 100});
  exchange(rule, kStarted + 60s, answer(PaceAnswer::Kind::accepted, kStarted + 59s));
  exchange(rule, kStarted + 61s, answer(PaceAnswer::Kind::failed, kStarted + 1s));
  EXPECT_EQ(rule.answering(kStarted + 61s, 24h), Duration{1s});
}

TEST(AnswerTimes, KeepADayOfAnswers) {
  AnswerTimes times;
  for (TimePoint at = kStarted; at <= kStarted + 30h; at += 1s)
    times.heard(at);
  EXPECT_EQ(times.answering(kStarted + 30h, 48h), Duration{24h});
}

}  // namespace
