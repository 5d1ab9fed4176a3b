// When a request may go: waits, request slots, the circuit. Time is an argument.
#include "daemon/pace/rate_limiter.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <gtest/gtest.h>

#include "tests/daemon/pace/exchange.hpp"

namespace {

using namespace surveybridge::daemon;
using namespace std::chrono_literals;
using pace_test::answer;
using pace_test::exchange;
using pace_test::kStarted;
using Kind = PaceAnswer::Kind;

TEST(Pace, LetsNobodyGoInsideAWait) {
  RateLimiter rule({4, 100});
  exchange(rule, kStarted, answer(Kind::refused, kStarted, 7s));
  for (TimePoint now = kStarted; now < kStarted + 7s; now += 100ms) {
    const auto later = rule.attempt(now);
    ASSERT_TRUE(later);
    EXPECT_GE(*later, kStarted + 7s);
  }
  EXPECT_FALSE(rule.attempt(kStarted + 8s));
}

TEST(Pace, PutsJitterOnTopOfAWaitNeverBelowIt) {
  for (const double unit : {0.0, 0.5, 0.999}) {
    RateLimiter rule({4, 100});
    ASSERT_FALSE(rule.attempt(kStarted));
    rule.finished();
    rule.answered(kStarted, answer(Kind::refused, kStarted, 2s), unit);
    EXPECT_GE(rule.held_until(), kStarted + 2s);
    EXPECT_LE(rule.held_until(), kStarted + 2s + 250ms);
  }
}

TEST(Pace, AShorterWaitNeverShortensALongerOne) {
  RateLimiter rule({4, 100});
  rule.hold(kStarted + 1h);
  rule.hold(kStarted + 1s);
  EXPECT_EQ(rule.held_until(), kStarted + 1h);
}

TEST(Pace, WaitsLongerEachTimeARefusalSaysNothing) {
  RateLimiter rule({4, 100});
  TimePoint now = kStarted;
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
  RateLimiter rule({4, 100});
  auto spent = answer(Kind::accepted, kStarted);
  spent.spent = 10h;
  exchange(rule, kStarted, spent);
  EXPECT_EQ(rule.attempt(kStarted + 9h), kStarted + 10h);
}

TEST(Pace, LearnsNoRateFromFailures) {
  RateLimiter rule({4, 100});
  const double before = rule.rate().per_second();
  TimePoint now = kStarted;
  for (int i = 0; i < 4; ++i, now += 10s)
    exchange(rule, now, answer(Kind::failed, now));
  EXPECT_FALSE(rule.rate().is_blocked());
  EXPECT_GE(rule.rate().per_second(), before);
}

TEST(Pace, OpensItsCircuitForAServiceThatIsDownAndClosesItWithOneAnswer) {
  RateLimiter rule({4, 100});
  TimePoint now = kStarted;
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(rule.circuit_open());
    exchange(rule, now, answer(Kind::failed, now));
    now += 10s;
  }
  EXPECT_TRUE(rule.circuit_open());
  ASSERT_FALSE(rule.attempt(now));
  EXPECT_TRUE(rule.attempt(now + 1s));  // one request goes, the others wait
  EXPECT_EQ(rule.why_waits(now + 1s, RequestClass::read), RateLimiter::Cause::failures);
  rule.finished();
  rule.answered(now, answer(Kind::accepted, now), 0.5);
  EXPECT_FALSE(rule.circuit_open());
}

// The time from one failure to the next attempt that is let through.
Duration next_probe(RateLimiter& rule, TimePoint& now, double unit) {
  rule.answered(now, answer(Kind::failed, now), unit);
  const TimePoint failed = now;
  for (auto later = rule.attempt(now); later; later = rule.attempt(now))
    now = *later;
  rule.finished();
  return now - failed;
}

TEST(Pace, TriesAServiceThatIsDownEveryThirtySecondsAtTheLatest) {
  RateLimiter rule({4, 100});
  TimePoint now = kStarted;
  for (int i = 0; i < 40; ++i)
    EXPECT_LE(next_probe(rule, now, 0.999), 30s) << i;
  EXPECT_GT(next_probe(rule, now, 0.999), 29s);
  EXPECT_EQ(next_probe(rule, now, 0.0), 15s) << "and never all the time";
}

TEST(Pace, IsTriedAtOnceWhenAPersonSaysSoUnlessTheServiceAskedForAShortWait) {
  RateLimiter rule({4, 100});
  TimePoint now = kStarted;
  for (int i = 0; i < 20; ++i)
    next_probe(rule, now, 0.5);
  rule.answered(now, answer(Kind::failed, now), 0.5);
  now += 1s;  // the rate allows it
  ASSERT_TRUE(rule.attempt(now));
  rule.try_now(now);
  EXPECT_FALSE(rule.attempt(now));
  rule.finished();
  now += 1s;
  rule.hold(now + 5min);
  rule.try_now(now);
  EXPECT_EQ(rule.attempt(now), now + 5min);
  rule.hold(now + 1h);
  rule.try_now(now);
  EXPECT_FALSE(rule.attempt(now)) << "it may be a mistake";
}

// "Retry-After: 0" is no wait.
TEST(Pace, WaitsLongerEachTimeWhereTheServiceRefusesAndAsksForNoWait) {
  RateLimiter rule({4, 100});
  TimePoint now = kStarted;
  Duration last{0};
  for (int i = 0; i < 12; ++i) {
    auto refusal = answer(Kind::refused, now);
    refusal.wait = Duration{0};
    rule.answered(now, refusal, 0.5);
    const Duration wait = rule.held_until() - now;
    EXPECT_GT(wait, last) << i;
    last = wait;
    now = rule.held_until();
  }
  EXPECT_GT(last, 30s);
}

TEST(Pace, KeepsToTheCeilings) {
  RateLimiter rule({2, 1000});
  TimePoint now = kStarted;
  ASSERT_FALSE(rule.attempt(now));
  ASSERT_FALSE(rule.attempt(now + 1s));
  EXPECT_TRUE(rule.attempt(now + 2s));
  rule.finished();
  EXPECT_FALSE(rule.attempt(now + 3s));
}

TEST(Pace, DoesNotMakeUpForAnIdleHourWithABurst) {
  RateLimiter rule({64, 10});
  ASSERT_FALSE(rule.attempt(kStarted));
  int at_once = 0;
  while (!rule.attempt(kStarted + 1h))
    ++at_once;
  EXPECT_LE(at_once, 2);
}

// A service with three places refuses a fourth request sooner or later.
void learn_three(ConcurrencyLimit& places) {
  for (int refusal = 0; refusal < 6 && places.allowed() > 3; ++refusal) {
    for (int i = 0; i < 20; ++i) {
      for (const int beside : {1, 2, 3})
        places.accepted(beside);
    }
    places.refused(4);
  }
}

// A limiter with a known rate, so that the gap between requests is known.
RateLimiter at_ten_a_second() {
  RateLimiter rule({4, 10});
  rule.recall({{10, 10}, std::nullopt});
  return rule;
}

void went(RateLimiter& rule, RequestClass request_class = RequestClass::read) {
  rule.finished(request_class);
}

TEST(Pace, LetsAWriteThatIsDueGoBeforeARead) {
  RateLimiter rule = at_ten_a_second();
  ASSERT_FALSE(rule.attempt(kStarted, RequestClass::read));
  went(rule);
  const auto due = rule.attempt(kStarted + 1ms, RequestClass::write);
  ASSERT_EQ(rule.attempt(kStarted + 2ms, RequestClass::read), due) << "both are told the same";
  const auto again = rule.attempt(*due, RequestClass::read);
  ASSERT_TRUE(again) << "the read came first, and gives way";
  EXPECT_FALSE(rule.attempt(*due + 1ms, RequestClass::write));
  went(rule, RequestClass::write);
  EXPECT_TRUE(rule.attempt(*again, RequestClass::read));
  EXPECT_FALSE(rule.attempt(*due + 101ms, RequestClass::read)) << "no write waits any more";
}

// Both always want to go, and ask at the time that they were told; `first` is faster. Returns who
// went.
std::string order_of(RequestClass first) {
  RateLimiter rule = at_ten_a_second();
  const RequestClass second =
      first == RequestClass::read ? RequestClass::write : RequestClass::read;
  std::map<RequestClass, TimePoint> at{{first, kStarted}, {second, kStarted}};
  std::string order;
  while (order.size() < 12) {
    const RequestClass request_class = at[first] <= at[second] ? first : second;
    const TimePoint now = at[request_class];
    const auto later = rule.attempt(now, request_class);
    if (!later) {
      order += request_class == RequestClass::read ? 'r' : 'w';
      went(rule, request_class);
    }
    at[request_class] = later.value_or(now + 1us);
  }
  return order;
}

TEST(Pace, LetsAReadGoAfterThreeWritesWhoeverIsQuicker) {
  EXPECT_EQ(order_of(RequestClass::read), "rwwwrwwwrwww");
  EXPECT_EQ(order_of(RequestClass::write), "wwwwrwwwrwww");
}

TEST(Pace, CountsLanesApartThatARestartHasFoundApart) {
  RateLimiter rule({4, 100});
  rule.recall({{2, 2}, LearnedRate::Learned{50, 50}});
  ASSERT_FALSE(rule.attempt(kStarted, RequestClass::write));
  went(rule, RequestClass::write);
  EXPECT_FALSE(rule.attempt(kStarted + 11ms, RequestClass::read))
      << "the write's rate is not its own";
  went(rule, RequestClass::read);
  EXPECT_TRUE(rule.attempt(kStarted + 32ms, RequestClass::write));
  EXPECT_FALSE(rule.attempt(kStarted + 33ms, RequestClass::read));
  ASSERT_TRUE(rule.learned().read);
  EXPECT_DOUBLE_EQ(rule.learned().read->edge, 50);
}

TEST(Pace, LetsLanesThatAreApartPassTheCeilingNotTogether) {
  RateLimiter rule({4, 10});
  rule.recall({{10, 10}, LearnedRate::Learned{10, 10}});
  ASSERT_FALSE(rule.attempt(kStarted, RequestClass::write));
  went(rule, RequestClass::write);
  EXPECT_EQ(rule.attempt(kStarted + 50ms, RequestClass::read), kStarted + 100ms);
}

TEST(Pace, ARefusalOfOneLaneMakesTheOtherWaitToo) {
  RateLimiter rule({4, 100});
  rule.recall({{2, 2}, LearnedRate::Learned{50, 50}});
  ASSERT_FALSE(rule.attempt(kStarted, RequestClass::write));
  went(rule, RequestClass::write);
  PaceAnswer refused = answer(Kind::refused, kStarted, 3s);
  refused.request_class = RequestClass::write;
  rule.answered(kStarted, refused, 0.5);
  EXPECT_TRUE(rule.attempt(kStarted + 1s, RequestClass::read)) << "nobody sends inside a wait";
  EXPECT_FALSE(rule.attempt(kStarted + 4s, RequestClass::read));
  EXPECT_DOUBLE_EQ(rule.learned().read->edge, 50) << "it is not the read's refusal";
}

TEST(Pace, WaitsForNoWriteThatDoesNotCome) {
  RateLimiter rule = at_ten_a_second();
  ASSERT_FALSE(rule.attempt(kStarted, RequestClass::read));
  went(rule);
  const auto due = rule.attempt(kStarted + 1ms, RequestClass::write);
  const auto later = rule.attempt(*due, RequestClass::read);
  ASSERT_TRUE(later);
  EXPECT_LE(*later, *due + 50ms);
  EXPECT_FALSE(rule.attempt(*later, RequestClass::read));
}

TEST(Places, LearnHowManyAServiceLetsInAtOnce) {
  ConcurrencyLimit places(8);
  learn_three(places);
  EXPECT_EQ(places.allowed(), 3);
  EXPECT_TRUE(places.refused(4));  // it left before that was known
}

TEST(Places, LeaveARefusalToTheRateWhereAsManyWereLetInBefore) {
  ConcurrencyLimit places(8);
  for (int i = 0; i < 20; ++i)
    places.accepted(4);
  for (int i = 0; i < 6; ++i)
    EXPECT_FALSE(places.refused(4));
  EXPECT_EQ(places.allowed(), 8);
}

TEST(Places, LeaveRefusalsOfAnyCrowdToTheRate) {
  ConcurrencyLimit places(8);
  for (int i = 0; i < 50; ++i) {
    places.accepted(1 + i % 3);
    const bool refused = i % 10 == 0 && places.refused(1 + i % 3);
    EXPECT_FALSE(refused);
  }
  EXPECT_EQ(places.allowed(), 8);
}

TEST(Places, TryOneMoreAfterALongTimeAndTakeItBackAtOnce) {
  ConcurrencyLimit places(8);
  learn_three(places);
  for (int i = 0; i < 10'000 && places.allowed() == 3; ++i)
    places.accepted(3);
  EXPECT_EQ(places.allowed(), 4);
  EXPECT_TRUE(places.refused(4));
  EXPECT_EQ(places.allowed(), 3);
}

// A writer needs 50 ms to find its batch before it asks; two readers ask at the time that they were
// told. Returns how many of each went within ten minutes.
std::map<RequestClass, int> beside_a_slow_writer() {
  RateLimiter rule({4, 5});
  TimePoint writer = kStarted + 50ms;
  std::array<TimePoint, 2> readers{kStarted, kStarted};
  std::map<RequestClass, int> went_out;
  const auto goes = [&](TimePoint now, RequestClass request_class) {
    const auto later = rule.attempt(now, request_class);
    if (later) return std::max(*later, now + 1us);
    ++went_out[request_class];
    rule.finished(request_class);
    PaceAnswer accepted = answer(Kind::accepted, now);
    accepted.request_class = request_class;
    rule.answered(now, accepted, 0.5);
    return now + 1us;
  };
  for (TimePoint now = kStarted; now < kStarted + 10min;) {
    TimePoint& reader = *std::ranges::min_element(readers);
    now = std::min(writer, reader);
    if (writer <= reader) {
      writer = goes(now, RequestClass::write) + 50ms;
    } else {
      reader = goes(now, RequestClass::read);
    }
  }
  return went_out;
}

TEST(Pace, LetsAWriteThatNeedsAMomentToGetReadyStillGoFirst) {
  auto went_out = beside_a_slow_writer();
  EXPECT_GT(went_out[RequestClass::write], went_out[RequestClass::read]);
  EXPECT_GT(went_out[RequestClass::read], 100) << "one after three writes";
}

TEST(Pace, WaitsOnceForASlowWriteThatIsNoMore) {
  RateLimiter rule = at_ten_a_second();
  TimePoint now = kStarted;
  for (int i = 0; i < 5; ++i) {  // the writer is half a second late
    const auto due = rule.attempt(now, RequestClass::write);
    if (due) {
      EXPECT_FALSE(rule.attempt(*due + 500ms, RequestClass::write));
      now = *due + 500ms;
    }
    went(rule, RequestClass::write);
  }
  const auto due = rule.attempt(now + 1ms, RequestClass::write);
  ASSERT_TRUE(due);
  EXPECT_TRUE(rule.attempt(*due + 500ms, RequestClass::read));
  EXPECT_FALSE(rule.attempt(*due + 3s, RequestClass::read));
  went(rule);
  EXPECT_FALSE(rule.attempt(*due + 4s, RequestClass::read));
}

}  // namespace
