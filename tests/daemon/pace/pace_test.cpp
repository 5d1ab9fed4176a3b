// When a request may go: waits, request slots, the circuit. The test turns the clock.
#include "daemon/pace/pace.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <gtest/gtest.h>

#include "tests/daemon/pace/exchange.hpp"

namespace {

using namespace surveybridge::daemon;
using namespace std::chrono_literals;
using pace_test::answer;
using pace_test::kStarted;
using pace_test::TurnedPace;
using Kind = PaceAnswer::Kind;

TEST(Pace, LetsNobodyGoInsideAWait) {
  TurnedPace pace({4, 100});
  pace.exchange(kStarted, answer(Kind::refused, kStarted, 7s));
  for (TimePoint now = kStarted; now < kStarted + 7s; now += 100ms) {
    const auto later = pace.attempt(now);
    ASSERT_TRUE(later);
    EXPECT_GE(*later, kStarted + 7s);
  }
  EXPECT_FALSE(pace.attempt(kStarted + 8s));
}

TEST(Pace, PutsJitterOnTopOfAWaitNeverBelowIt) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    TurnedPace pace({4, 100}, seed);
    pace.exchange(kStarted, answer(Kind::refused, kStarted, 2s));
    EXPECT_GE(pace.at(kStarted).held_until(), kStarted + 2s);
    EXPECT_LE(pace.at(kStarted).held_until(), kStarted + 2s + 250ms);
  }
}

TEST(Pace, AShorterWaitNeverShortensALongerOne) {
  TurnedPace pace({4, 100});
  pace.at(kStarted).hold(1h);
  pace.at(kStarted).hold(1s);
  EXPECT_EQ(pace.at(kStarted).held_until(), kStarted + 1h);
}

// "Retry-After: 0" is no wait.
TEST(Pace, WaitsLongerEachTimeARefusalSaysNothing) {
  for (const std::optional<Duration> said :
       {std::optional<Duration>(), std::optional(Duration{})}) {
    TurnedPace pace({4, 100});
    TimePoint now = kStarted;
    Duration last{0};
    for (int i = 0; i < 10; ++i) {
      pace.exchange(now, answer(Kind::refused, now, said));
      const Duration wait = pace.at(now).held_until() - now;
      EXPECT_GT(wait, last) << i;
      last = wait;
      now += wait + 1s;
    }
    EXPECT_GT(last, 10s);
  }
}

TEST(Pace, SendsNothingOnceAQuotaIsKnownToBeSpent) {
  TurnedPace pace({4, 100});
  auto spent = answer(Kind::accepted, kStarted);
  spent.spent = 10h;
  pace.exchange(kStarted, spent);
  EXPECT_EQ(pace.attempt(kStarted + 9h), kStarted + 10h);
}

TEST(Pace, LearnsNoRateFromFailures) {
  TurnedPace pace({4, 100});
  const double before = pace.at(kStarted).known().learned.all.per_second;
  TimePoint now = kStarted;
  for (int i = 0; i < 4; ++i, now += 10s)
    pace.exchange(now, answer(Kind::failed, now));
  EXPECT_GE(pace.at(now).known().learned.all.per_second, before);
  EXPECT_FALSE(pace.at(now).known().refused_at);
}

class LastCause final : public Recorder {
 public:
  void waited(std::string_view cause, Duration) override { last = cause; }
  std::string last;
};

TEST(Pace, OpensItsCircuitForAServiceThatIsDownAndClosesItWithOneAnswer) {
  LastCause cause;
  TurnedPace pace({4, 100}, 1, cause);
  TimePoint now = kStarted;
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(pace.at(now).known().away);
    pace.exchange(now, answer(Kind::failed, now));
    now += 10s;
  }
  EXPECT_TRUE(pace.at(now).known().away);
  ASSERT_FALSE(pace.attempt(now));
  EXPECT_TRUE(pace.attempt(now + 1s)) << "one request goes, the others wait";
  EXPECT_TRUE(pace.attempt(now + 2s));
  EXPECT_EQ(cause.last, "failures");
  pace.finished();
  pace.at(now + 2s).answered(answer(Kind::accepted, now));
  EXPECT_FALSE(pace.at(now + 2s).known().away);
}

// The time from one failure to the next attempt that is let through.
Duration next_probe(TurnedPace& pace, TimePoint& now) {
  pace.at(now).answered(answer(Kind::failed, now));
  const TimePoint failed = now;
  for (auto later = pace.attempt(now); later; later = pace.attempt(now))
    now = *later;
  pace.finished();
  return now - failed;
}

TEST(Pace, TriesAServiceThatIsDownEveryThirtySecondsAtTheLatest) {
  TurnedPace pace({4, 100});
  TimePoint now = kStarted;
  for (int i = 0; i < 40; ++i) {
    const Duration between = next_probe(pace, now);
    EXPECT_LE(between, 30s) << i;
    EXPECT_TRUE(i < 20 || between >= 15s) << "and never all the time";
  }
}

TEST(Pace, IsTriedAtOnceWhenAPersonSaysSoUnlessTheServiceAskedForAShortWait) {
  TurnedPace pace({4, 100});
  TimePoint now = kStarted;
  for (int i = 0; i < 20; ++i)
    next_probe(pace, now);
  pace.at(now).answered(answer(Kind::failed, now));
  now += 1s;  // the rate allows it
  ASSERT_TRUE(pace.attempt(now));
  pace.at(now).try_now();
  EXPECT_FALSE(pace.attempt(now));
  pace.finished();
  now += 1s;
  pace.at(now).hold(5min);
  pace.at(now).try_now();
  EXPECT_EQ(pace.attempt(now), now + 5min);
  pace.at(now).hold(1h);
  pace.at(now).try_now();
  EXPECT_FALSE(pace.attempt(now)) << "it may be a mistake";
}

TEST(Pace, KeepsToTheCeilings) {
  TurnedPace pace({2, 1000});
  ASSERT_FALSE(pace.attempt(kStarted));
  ASSERT_FALSE(pace.attempt(kStarted + 1s));
  EXPECT_TRUE(pace.attempt(kStarted + 2s));
  pace.finished();
  EXPECT_FALSE(pace.attempt(kStarted + 3s));
}

TEST(Pace, DoesNotMakeUpForAnIdleHourWithABurst) {
  TurnedPace pace({64, 10});
  ASSERT_FALSE(pace.attempt(kStarted));
  int at_once = 0;
  while (!pace.attempt(kStarted + 1h))
    ++at_once;
  EXPECT_LE(at_once, 2);
}

// With a known rate, so that the gap between requests is known.
struct TenASecond : TurnedPace {
  TenASecond() : TurnedPace({4, 10}) { at(kStarted).recall({{10, 10}, std::nullopt}); }
};

TEST(Pace, LetsAWriteThatIsDueGoBeforeARead) {
  TenASecond pace;
  ASSERT_FALSE(pace.attempt(kStarted, RequestClass::read));
  pace.finished();
  const auto due = pace.attempt(kStarted + 1ms, RequestClass::write);
  ASSERT_TRUE(due);
  ASSERT_EQ(pace.attempt(kStarted + 2ms, RequestClass::read), due) << "both are told the same";
  const auto again = pace.attempt(*due, RequestClass::read);
  ASSERT_TRUE(again) << "the read came first, and gives way";
  EXPECT_FALSE(pace.attempt(*due + 1ms, RequestClass::write));
  pace.finished(RequestClass::write);
  EXPECT_TRUE(pace.attempt(*again, RequestClass::read));
  EXPECT_FALSE(pace.attempt(*due + 110ms, RequestClass::read)) << "no write waits any more";
}

// Both always want to go, and ask at the time that they were told; `first` is faster. Returns the
// last letters of the names of those who went.
std::string order_of(const Requester& first, const Requester& second) {
  TenASecond pace;
  std::array<TimePoint, 2> at{kStarted, kStarted};
  std::string order;
  while (order.size() < 12) {
    const auto turn = std::ranges::min_element(at);
    const Requester& who = turn == at.begin() ? first : second;
    const TimePoint now = *turn;
    const auto later = pace.at(now).attempt(now, who);
    if (!later) {
      order += who.job.back();
      pace.finished(who.request_class);
    }
    *turn = later.value_or(now + 1us);
  }
  return order;
}

TEST(Pace, LetsAReadGoAfterThreeWritesWhoeverIsQuicker) {
  const Requester read{"r", RequestClass::read};
  const Requester write{"w", RequestClass::write};
  EXPECT_EQ(order_of(read, write), "rwwwrwwwrwww");
  EXPECT_EQ(order_of(write, read), "wwwwrwwwrwww");
}

TEST(Pace, LetsTheJobGoThatHasWaitedLongerWhoeverIsQuicker) {
  for (const auto request_class : {RequestClass::read, RequestClass::write})
    EXPECT_EQ(order_of({"pull.a", request_class}, {"pull.b", request_class}), "abababababab");
}

TEST(Pace, CountsReadingAndWritingApartWhereTheServiceDoes) {
  TurnedPace pace({4, 100, true});
  pace.at(kStarted).recall({{2, 2}, LearnedRate::Learned{50, 50}});
  ASSERT_FALSE(pace.attempt(kStarted, RequestClass::write));
  pace.finished(RequestClass::write);
  EXPECT_FALSE(pace.attempt(kStarted + 11ms, RequestClass::read))
      << "the write's rate is not its own";
  pace.finished(RequestClass::read);
  EXPECT_TRUE(pace.attempt(kStarted + 32ms, RequestClass::write));
  EXPECT_FALSE(pace.attempt(kStarted + 33ms, RequestClass::read));
}

TEST(Pace, LetsSeparateLimitsPassTheCeilingNotTogether) {
  TurnedPace pace({4, 10, true});
  pace.at(kStarted).recall({{10, 10}, LearnedRate::Learned{10, 10}});
  ASSERT_FALSE(pace.attempt(kStarted, RequestClass::write));
  pace.finished(RequestClass::write);
  EXPECT_EQ(pace.attempt(kStarted + 50ms, RequestClass::read), kStarted + 100ms);
}

TEST(Pace, ARefusalOfOneLimitMakesTheOtherWaitToo) {
  TurnedPace pace({4, 100, true});
  pace.at(kStarted).recall({{2, 2}, LearnedRate::Learned{50, 50}});
  PaceAnswer refused = answer(Kind::refused, kStarted, 3s);
  refused.request_class = RequestClass::write;
  pace.exchange(kStarted, refused);
  EXPECT_TRUE(pace.attempt(kStarted + 1s, RequestClass::read)) << "nobody sends inside a wait";
  EXPECT_FALSE(pace.attempt(kStarted + 4s, RequestClass::read));
  const auto learned = pace.at(kStarted + 4s).known().learned;
  ASSERT_TRUE(learned.read);
  EXPECT_DOUBLE_EQ(learned.read->edge, 50) << "it is not the read's refusal";
}

TEST(Pace, TakesOverNoRatesOfOtherLimitsThanAreConfigured) {
  TurnedPace shared({4, 100}), apart({4, 100, true});
  const auto before = shared.at(kStarted).known().learned.all;
  shared.at(kStarted).recall({{5, 5}, LearnedRate::Learned{50, 50}});
  EXPECT_DOUBLE_EQ(shared.at(kStarted).known().learned.all.per_second, before.per_second);
  apart.at(kStarted).recall({{50, 50}, std::nullopt});
  EXPECT_DOUBLE_EQ(apart.at(kStarted).known().learned.all.per_second, before.per_second);
}

TEST(Pace, WaitsNotForLongForAWriteThatDoesNotCome) {
  TenASecond pace;
  ASSERT_FALSE(pace.attempt(kStarted, RequestClass::read));
  pace.finished();
  const auto due = pace.attempt(kStarted + 1ms, RequestClass::write);
  ASSERT_TRUE(due);
  TimePoint now = *due;
  for (auto later = pace.attempt(now); later; later = pace.attempt(now))
    now = *later;
  EXPECT_GE(now, *due + 2s);
  EXPECT_LE(now, *due + 2100ms);
}

// A writer needs 50 ms to find its batch before it asks; two readers ask at the time that they were
// told. Returns how many of each went within ten minutes.
std::map<RequestClass, int> beside_a_slow_writer() {
  TurnedPace pace({4, 5});
  TimePoint writer = kStarted + 50ms;
  std::array<TimePoint, 2> readers{kStarted, kStarted};
  std::map<RequestClass, int> went_out;
  const auto goes = [&](TimePoint now, const Requester& who) {
    const auto later = pace.at(now).attempt(now, who);
    if (later) return std::max(*later, now + 1us);
    ++went_out[who.request_class];
    pace.finished(who.request_class);
    PaceAnswer accepted = answer(Kind::accepted, now);
    accepted.request_class = who.request_class;
    pace.at(now).answered(accepted);
    return now + 1us;
  };
  for (TimePoint now = kStarted; now < kStarted + 10min;) {
    const auto reader = std::ranges::min_element(readers);
    now = std::min(writer, *reader);
    if (writer <= *reader) {
      writer = goes(now, {"push", RequestClass::write}) + 50ms;
    } else {
      *reader = goes(now, {reader == readers.begin() ? "pull.a" : "pull.b", RequestClass::read});
    }
  }
  return went_out;
}

TEST(Pace, LetsAWriteThatNeedsAMomentToGetReadyStillGoFirst) {
  auto went_out = beside_a_slow_writer();
  EXPECT_GT(went_out[RequestClass::write], went_out[RequestClass::read]);
  EXPECT_GT(went_out[RequestClass::read], 100) << "one after three writes";
}

// A push and a pull that always want to go, and come so long after the time that they were told.
std::map<RequestClass, int> beside_each_other(TurnedPace& pace, Duration writer, Duration reader) {
  struct Side {
    Requester who;
    Duration late;
    TimePoint at = kStarted;
  };
  std::array<Side, 2> sides{Side{{"push", RequestClass::write}, writer},
                            Side{{"pull", RequestClass::read}, reader}};
  std::map<RequestClass, int> went_out;
  for (TimePoint now = kStarted; now < kStarted + 10min;) {
    Side& side = sides[0].at <= sides[1].at ? sides[0] : sides[1];
    now = side.at;
    const auto later = pace.at(now).attempt(now, side.who);
    side.at = std::max(later.value_or(now), now) + side.late;
    if (later) continue;
    ++went_out[side.who.request_class];
    pace.finished(side.who.request_class);
  }
  return went_out;
}

TEST(Pace, LetsAReadThatNeedsAMomentToGetReadyGoAfterThreeWrites) {
  TenASecond pace;
  EXPECT_GT(beside_each_other(pace, 5ms, 30ms)[RequestClass::read], 500);
}

TEST(Pace, SharesTheCeilingBetweenSeparateLimits) {
  TurnedPace pace({4, 5, true});
  pace.at(kStarted).recall({{5, 5}, LearnedRate::Learned{5, 5}});
  auto went = beside_each_other(pace, 30ms, 5ms);
  EXPECT_GT(went[RequestClass::write], 500);
  EXPECT_GT(went[RequestClass::read], 500);
}

TEST(Pace, DoesNotWaitForAWriteWhoseWaitAPersonHasEnded) {
  TenASecond pace;
  ASSERT_FALSE(pace.attempt(kStarted));
  pace.finished();
  pace.at(kStarted).hold(1h);
  ASSERT_TRUE(pace.attempt(kStarted + 1s, RequestClass::write));
  pace.at(kStarted + 1min).try_now();
  EXPECT_FALSE(pace.attempt(kStarted + 1min));
}

}  // namespace
