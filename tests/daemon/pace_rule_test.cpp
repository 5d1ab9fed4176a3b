// What the pace says when: holds, places, the circuit. Time is an argument.
#include <algorithm>
#include <array>
#include <map>

#include <gtest/gtest.h>

#include "daemon/pace/rule.hpp"

namespace {

using namespace surveybridge::daemon;
using namespace std::chrono_literals;
using Kind = PaceAnswer::Kind;

constexpr TimePoint kStart{std::chrono::hours{1}};

PaceAnswer answer(Kind kind, TimePoint sent_at, std::optional<Duration> wait = std::nullopt) {
  PaceAnswer made;
  made.kind = kind;
  made.sent_at = sent_at;
  made.wait = wait;
  return made;
}

// One request, answered at once.
void exchange(PaceRule& rule, TimePoint now, const PaceAnswer& with) {
  ASSERT_FALSE(rule.attempt(now));
  rule.finished();
  rule.answered(now, with, 0.5);
}

TEST(Pace, LetsNobodyGoInsideAWait) {
  PaceRule rule({4, 100});
  exchange(rule, kStart, answer(Kind::refused, kStart, 7s));
  for (TimePoint now = kStart; now < kStart + 7s; now += 100ms) {
    const auto later = rule.attempt(now);
    ASSERT_TRUE(later);
    EXPECT_GE(*later, kStart + 7s);
  }
  EXPECT_FALSE(rule.attempt(kStart + 8s));
}

TEST(Pace, PutsJitterOnTopOfAWaitNeverBelowIt) {
  for (const double unit : {0.0, 0.5, 0.999}) {
    PaceRule rule({4, 100});
    ASSERT_FALSE(rule.attempt(kStart));
    rule.finished();
    rule.answered(kStart, answer(Kind::refused, kStart, 2s), unit);
    EXPECT_GE(rule.held_until(), kStart + 2s);
    EXPECT_LE(rule.held_until(), kStart + 2s + 250ms);
  }
}

TEST(Pace, AShorterWaitNeverShortensALongerOne) {
  PaceRule rule({4, 100});
  rule.hold(kStart + 1h);
  rule.hold(kStart + 1s);
  EXPECT_EQ(rule.held_until(), kStart + 1h);
}

TEST(Pace, WaitsLongerEachTimeARefusalSaysNothing) {
  PaceRule rule({4, 100});
  TimePoint now = kStart;
  Duration last{0};
  for (int i = 0; i < 10; ++i) {
    exchange(rule, now, answer(Kind::refused, now));
    const Duration wait = rule.held_until() - now;
    EXPECT_GT(wait, last);
    last = wait;
    now = rule.held_until() + 1s;
  }
  EXPECT_GT(last, 10s);
}

TEST(Pace, SendsNothingOnceAQuotaIsKnownToBeSpent) {
  PaceRule rule({4, 100});
  auto spent = answer(Kind::accepted, kStart);
  spent.spent = 10h;
  exchange(rule, kStart, spent);
  EXPECT_EQ(rule.attempt(kStart + 9h), kStart + 10h);
}

TEST(Pace, LearnsNoRateFromFailures) {
  PaceRule rule({4, 100});
  const double before = rule.rate().per_second();
  TimePoint now = kStart;
  for (int i = 0; i < 4; ++i, now += 10s)
    exchange(rule, now, answer(Kind::failed, now));
  EXPECT_FALSE(rule.rate().in_the_dark());
  EXPECT_GE(rule.rate().per_second(), before);
}

TEST(Pace, OpensItsCircuitForAServiceThatIsDownAndClosesItWithOneAnswer) {
  PaceRule rule({4, 100});
  TimePoint now = kStart;
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(rule.circuit_open());
    exchange(rule, now, answer(Kind::failed, now));
    now += 10s;
  }
  EXPECT_TRUE(rule.circuit_open());
  ASSERT_FALSE(rule.attempt(now));
  EXPECT_TRUE(rule.attempt(now + 1s));  // one asks, the others wait
  rule.finished();
  rule.answered(now, answer(Kind::accepted, now), 0.5);
  EXPECT_FALSE(rule.circuit_open());
}

TEST(Pace, KeepsToTheCeilings) {
  PaceRule rule({2, 1000});
  TimePoint now = kStart;
  ASSERT_FALSE(rule.attempt(now));
  ASSERT_FALSE(rule.attempt(now + 1s));
  EXPECT_TRUE(rule.attempt(now + 2s));
  rule.finished();
  EXPECT_FALSE(rule.attempt(now + 3s));
}

TEST(Pace, DoesNotMakeUpForAnIdleHourWithABurst) {
  PaceRule rule({64, 10});
  ASSERT_FALSE(rule.attempt(kStart));
  int at_once = 0;
  while (!rule.attempt(kStart + 1h))
    ++at_once;
  EXPECT_LE(at_once, 2);
}

// A service with three places: a fourth is refused, sooner or later.
void learn_three(LearnedPlaces& places) {
  for (int refusal = 0; refusal < 6 && places.allowed() > 3; ++refusal) {
    for (int i = 0; i < 20; ++i) {
      for (const int beside : {1, 2, 3})
        places.accepted(beside);
    }
    places.refused(4);
  }
}

// A rule whose rate is known, so that its gap is.
PaceRule at_ten_a_second() {
  PaceRule rule({4, 10});
  rule.recall({{10, 10}, std::nullopt});
  return rule;
}

void went(PaceRule& rule, Lane lane = Lane::read) {
  rule.finished(lane);
}

TEST(Pace, LetsAWriteThatIsDueGoBeforeARead) {
  PaceRule rule = at_ten_a_second();
  ASSERT_FALSE(rule.attempt(kStart, Lane::read));
  went(rule);
  const auto due = rule.attempt(kStart + 1ms, Lane::write);
  ASSERT_EQ(rule.attempt(kStart + 2ms, Lane::read), due) << "both are told the same";
  const auto again = rule.attempt(*due, Lane::read);
  ASSERT_TRUE(again) << "the read came first, and gives way";
  EXPECT_FALSE(rule.attempt(*due + 1ms, Lane::write));
  went(rule, Lane::write);
  EXPECT_TRUE(rule.attempt(*again, Lane::read));
  EXPECT_FALSE(rule.attempt(*due + 101ms, Lane::read)) << "no write waits any more";
}

// Both always want to go, and ask when they were told to; `first` is quicker. Who went.
std::string order_of(Lane first) {
  PaceRule rule = at_ten_a_second();
  const Lane second = first == Lane::read ? Lane::write : Lane::read;
  std::map<Lane, TimePoint> at{{first, kStart}, {second, kStart}};
  std::string order;
  while (order.size() < 12) {
    const Lane lane = at[first] <= at[second] ? first : second;
    const TimePoint now = at[lane];
    const auto later = rule.attempt(now, lane);
    if (!later) {
      order += lane == Lane::read ? 'r' : 'w';
      went(rule, lane);
    }
    at[lane] = later.value_or(now + 1us);
  }
  return order;
}

TEST(Pace, LetsAReadGoAfterThreeWritesWhoeverIsQuicker) {
  EXPECT_EQ(order_of(Lane::read), "rwwwrwwwrwww");
  EXPECT_EQ(order_of(Lane::write), "wwwwrwwwrwww");
}

TEST(Pace, CountsLanesApartThatARestartHasFoundApart) {
  PaceRule rule({4, 100});
  rule.recall({{2, 2}, LearnedRate::Learned{50, 50}});
  ASSERT_FALSE(rule.attempt(kStart, Lane::write));
  went(rule, Lane::write);
  EXPECT_FALSE(rule.attempt(kStart + 11ms, Lane::read)) << "the write's rate is not its own";
  went(rule, Lane::read);
  EXPECT_TRUE(rule.attempt(kStart + 32ms, Lane::write));
  EXPECT_FALSE(rule.attempt(kStart + 33ms, Lane::read));
  ASSERT_TRUE(rule.learned().read);
  EXPECT_DOUBLE_EQ(rule.learned().read->edge, 50);
}

TEST(Pace, LetsLanesThatAreApartPassTheCeilingNotTogether) {
  PaceRule rule({4, 10});
  rule.recall({{10, 10}, LearnedRate::Learned{10, 10}});
  ASSERT_FALSE(rule.attempt(kStart, Lane::write));
  went(rule, Lane::write);
  EXPECT_EQ(rule.attempt(kStart + 50ms, Lane::read), kStart + 100ms);
}

TEST(Pace, ARefusalOfOneLaneMakesTheOtherWaitToo) {
  PaceRule rule({4, 100});
  rule.recall({{2, 2}, LearnedRate::Learned{50, 50}});
  ASSERT_FALSE(rule.attempt(kStart, Lane::write));
  went(rule, Lane::write);
  PaceAnswer refused = answer(Kind::refused, kStart, 3s);
  refused.lane = Lane::write;
  rule.answered(kStart, refused, 0.5);
  EXPECT_TRUE(rule.attempt(kStart + 1s, Lane::read)) << "nobody sends inside a wait";
  EXPECT_FALSE(rule.attempt(kStart + 4s, Lane::read));
  EXPECT_DOUBLE_EQ(rule.learned().read->edge, 50) << "it is not the read's refusal";
}

TEST(Pace, WaitsForNoWriteThatDoesNotCome) {
  PaceRule rule = at_ten_a_second();
  ASSERT_FALSE(rule.attempt(kStart, Lane::read));
  went(rule);
  const auto due = rule.attempt(kStart + 1ms, Lane::write);
  const auto later = rule.attempt(*due, Lane::read);
  ASSERT_TRUE(later);
  EXPECT_LE(*later, *due + 50ms);
  EXPECT_FALSE(rule.attempt(*later, Lane::read));
}

TEST(Places, LearnHowManyAServiceLetsInAtOnce) {
  LearnedPlaces places(8);
  learn_three(places);
  EXPECT_EQ(places.allowed(), 3);
  EXPECT_TRUE(places.refused(4));  // it left before that was known
}

TEST(Places, LeaveARefusalToTheRateWhereAsManyWereLetInBefore) {
  LearnedPlaces places(8);
  for (int i = 0; i < 20; ++i)
    places.accepted(4);
  for (int i = 0; i < 6; ++i)
    EXPECT_FALSE(places.refused(4));
  EXPECT_EQ(places.allowed(), 8);
}

TEST(Places, LeaveRefusalsOfAnyCrowdToTheRate) {
  LearnedPlaces places(8);
  for (int i = 0; i < 50; ++i) {
    places.accepted(1 + i % 3);
    const bool refused = i % 10 == 0 && places.refused(1 + i % 3);
    EXPECT_FALSE(refused);
  }
  EXPECT_EQ(places.allowed(), 8);
}

TEST(Places, TryOneMoreAfterALongTimeAndTakeItBackAtOnce) {
  LearnedPlaces places(8);
  learn_three(places);
  for (int i = 0; i < 10'000 && places.allowed() == 3; ++i)
    places.accepted(3);
  EXPECT_EQ(places.allowed(), 4);
  EXPECT_TRUE(places.refused(4));
  EXPECT_EQ(places.allowed(), 3);
}

// A writer finds its batch for 50 ms before it asks, and two readers ask when they were told to.
// How many of each went within ten minutes.
std::map<Lane, int> beside_a_slow_writer() {
  PaceRule rule({4, 5});
  TimePoint writer = kStart + 50ms;
  std::array<TimePoint, 2> readers{kStart, kStart};
  std::map<Lane, int> went_out;
  const auto goes = [&](TimePoint now, Lane lane) {
    const auto later = rule.attempt(now, lane);
    if (later) return std::max(*later, now + 1us);
    ++went_out[lane];
    rule.finished(lane);
    PaceAnswer accepted = answer(Kind::accepted, now);
    accepted.lane = lane;
    rule.answered(now, accepted, 0.5);
    return now + 1us;
  };
  for (TimePoint now = kStart; now < kStart + 10min;) {
    TimePoint& reader = *std::ranges::min_element(readers);
    now = std::min(writer, reader);
    if (writer <= reader) {
      writer = goes(now, Lane::write) + 50ms;
    } else {
      reader = goes(now, Lane::read);
    }
  }
  return went_out;
}

TEST(Pace, LetsAWriteThatNeedsAMomentToGetReadyStillGoFirst) {
  auto went_out = beside_a_slow_writer();
  EXPECT_GT(went_out[Lane::write], went_out[Lane::read]);
  EXPECT_GT(went_out[Lane::read], 100) << "one after three writes";
}

TEST(Pace, WaitsOnceForASlowWriteThatIsNoMore) {
  PaceRule rule = at_ten_a_second();
  TimePoint now = kStart;
  for (int i = 0; i < 5; ++i) {  // it comes half a second late
    const auto due = rule.attempt(now, Lane::write);
    if (due) {
      EXPECT_FALSE(rule.attempt(*due + 500ms, Lane::write));
      now = *due + 500ms;
    }
    went(rule, Lane::write);
  }
  const auto due = rule.attempt(now + 1ms, Lane::write);
  ASSERT_TRUE(due);
  EXPECT_TRUE(rule.attempt(*due + 500ms, Lane::read));
  EXPECT_FALSE(rule.attempt(*due + 3s, Lane::read));
  went(rule);
  EXPECT_FALSE(rule.attempt(*due + 4s, Lane::read));
}

}  // namespace
