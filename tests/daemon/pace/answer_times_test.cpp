// For how long the service has answered, for who wants to know what its silence means. Time is an
// argument.
#include "daemon/pace/answer_times.hpp"

#include <gtest/gtest.h>

#include "tests/daemon/pace/exchange.hpp"

namespace {

using namespace surveybridge::daemon;
using namespace std::chrono_literals;
using pace_test::answer;
using pace_test::kStarted;
using pace_test::TurnedPace;

TEST(AnswerTimes, KnowsForHowLongAServiceHasAnsweredSinceItWasAway) {
  TurnedPace pace({4, 100});
  EXPECT_EQ(pace.at(kStarted).answering(24h), Duration{0}) << "nobody has asked it";
  pace.exchange(kStarted, answer(PaceAnswer::Kind::accepted, kStarted));
  EXPECT_EQ(pace.at(kStarted + 1h).answering(24h), Duration{1h});
  pace.exchange(kStarted + 1h, answer(PaceAnswer::Kind::failed, kStarted + 1h));
  EXPECT_EQ(pace.at(kStarted + 1h + 9s).answering(24h), Duration{1h + 9s})
      << "a failure is no outage yet";
  EXPECT_FALSE(pace.at(kStarted + 1h + 9s).has_been_away());
  EXPECT_EQ(pace.at(kStarted + 1h + 10s).answering(24h), Duration{0});
  EXPECT_TRUE(pace.at(kStarted + 1h + 10s).has_been_away());
  pace.exchange(kStarted + 2h, answer(PaceAnswer::Kind::failed, kStarted + 2h));
  EXPECT_EQ(pace.at(kStarted + 2h).answering(24h), Duration{0});
  pace.exchange(kStarted + 3h, answer(PaceAnswer::Kind::refused, kStarted + 3h, 1s));
  EXPECT_EQ(pace.at(kStarted + 3h + 7s).answering(24h), Duration{7s}) << "a refusal is an answer";
  pace.exchange(kStarted + 4h, answer(PaceAnswer::Kind::failed, kStarted + 4h));
  pace.exchange(kStarted + 4h + 5s, answer(PaceAnswer::Kind::accepted, kStarted + 4h + 5s));
  EXPECT_EQ(pace.at(kStarted + 4h + 5s).answering(24h), Duration{1h + 5s})
      << "too short for an outage";
  EXPECT_TRUE(pace.at(kStarted + 4h + 5s).has_been_away());
}

// What the service did while nobody asked it is not known: a row that came into doubt then counts
// from the next answer on.
TEST(AnswerTimes, CountsOnlyAnswersSinceARowCameIntoDoubt) {
  TurnedPace pace({4, 100});
  for (const auto at : {0s, 1s, 12s, 25s})
    pace.exchange(kStarted + at, answer(PaceAnswer::Kind::accepted, kStarted + at));
  pace.exchange(kStarted + 1h, answer(PaceAnswer::Kind::accepted, kStarted + 1h));
  const TimePoint now = kStarted + 1h + 60s;
  EXPECT_EQ(pace.at(now).answering(2h), Duration{1h + 60s});
  EXPECT_EQ(pace.at(now).answering(1h + 55s), Duration{1h + 48s});
  EXPECT_EQ(pace.at(now).answering(1h), Duration{60s});
  EXPECT_EQ(pace.at(now).answering(59s), Duration{0});
}

// A request that was sent before the last answer does not tell of the time before that answer.
TEST(AnswerTimes, AFailureBesideAnswersIsNoOutage) {
  TurnedPace pace({4, 100});
  pace.exchange(kStarted + 60s, answer(PaceAnswer::Kind::accepted, kStarted + 59s));
  pace.exchange(kStarted + 61s, answer(PaceAnswer::Kind::failed, kStarted + 1s));
  EXPECT_EQ(pace.at(kStarted + 61s).answering(24h), Duration{1s});
}

TEST(AnswerTimes, KeepADayOfAnswers) {
  AnswerTimes times;
  for (TimePoint at = kStarted; at <= kStarted + 30h; at += 1s)
    times.heard(at);
  EXPECT_EQ(times.answering(kStarted + 30h, 48h), Duration{24h});
}

}  // namespace
