#include "sandbox/model/limit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sandbox/turned_world.hpp"

namespace sandbox {
namespace {

// How many requests a limit accepts when one comes every `pace` for `length`.
int let_in(Limit& limit, TimePoint& now, std::chrono::microseconds pace,
           std::chrono::microseconds length) {
  int count = 0;
  for (const TimePoint end = now + length; now < end; now += pace) {
    if (limit.wait(now) > 0us) continue;
    limit.take(now);
    ++count;
  }
  return count;
}

LimitSpec spec(const char* text) {
  const auto read = read_limit(text);
  EXPECT_TRUE(read) << text;
  return read.value_or(LimitSpec{});
}

TEST(Limits, OfABucketLetABurstInAndThenItsRate) {
  Limit limit(spec("bucket:20/s:burst=40"));
  TimePoint now = kStart;
  EXPECT_EQ(let_in(limit, now, 1us, 100us), 40);
  EXPECT_NEAR(let_in(limit, now, 1ms, 10s), 200, 1);
  now += 1h;
  EXPECT_EQ(limit.remaining(now), 40);
}

TEST(Limits, OfABucketSayExactlyWhenOneMoreMayCome) {
  Limit limit(spec("bucket:3/s"));
  TimePoint now = kStart;
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(limit.wait(now), 0us);
    limit.take(now);
    const auto wait = limit.wait(now);
    EXPECT_GT(limit.wait(now + wait / 2), 0us);
    now += wait;
  }
  EXPECT_NEAR(std::chrono::duration<double>(now - kStart).count(), 50.0 / 3, 0.001);
}

TEST(Limits, OfAMinuteStartAnewWithTheClocksMinute) {
  Limit limit(spec("minute:10"));
  TimePoint now = kStart + 50s;
  EXPECT_EQ(let_in(limit, now, 1ms, 1s), 10);
  EXPECT_EQ(limit.wait(now), 9s);
  now += 9s;
  EXPECT_EQ(limit.wait(now), 0us);
  EXPECT_EQ(let_in(limit, now, 100ms, 59s), 10);
}

TEST(Limits, OfASlidingWindowHoldInAnyStretch) {
  Limit limit(spec("sliding:10/10s"));
  TimePoint now = kStart;
  EXPECT_EQ(let_in(limit, now, 500ms, 5s), 10);
  EXPECT_EQ(limit.wait(now), 5s);
  EXPECT_EQ(let_in(limit, now, 100ms, 10s), 10);
}

TEST(Limits, OfADayArePutBackAtMidnight) {
  Limit limit(spec("day:5"));
  TimePoint now = kStart;
  EXPECT_EQ(let_in(limit, now, 1s, 1h), 5);
  EXPECT_EQ(limit.wait(now), 11h);
  now += 11h;
  EXPECT_EQ(limit.remaining(now), 5);
}

TEST(Limits, OfConcurrencyEndWithTheAnswers) {
  Limit limit(spec("concurrent:2"));
  limit.take(kStart);
  limit.take(kStart);
  EXPECT_GT(limit.wait(kStart + 1h), 0us);
  limit.finish();
  EXPECT_EQ(limit.wait(kStart + 1h), 0us);
}

TEST(Limits, TellReadsFromWritesAndCountNoneThatAnotherRefused) {
  Limits limits({spec("read:minute:3"), spec("write:minute:1"), spec("minute:10")});
  EXPECT_TRUE(limits.ask(true, kStart).allowed);
  const auto refused = limits.ask(true, kStart);
  EXPECT_FALSE(refused.allowed);
  EXPECT_EQ(refused.wait, 1min);
  EXPECT_EQ(limits.ask(false, kStart).remaining, 2);
  EXPECT_TRUE(limits.ask(false, kStart).allowed);
  EXPECT_TRUE(limits.ask(false, kStart).allowed);
  EXPECT_FALSE(limits.ask(false, kStart).allowed);
}

TEST(Limits, AreReadOnlyWhenWellWritten) {
  EXPECT_EQ(spec("write:bucket:0.5/s:burst=3").per_second, 0.5);
  EXPECT_EQ(spec("write:bucket:0.5/s:burst=3").applies, LimitSpec::Applies::writes);
  for (const char* text : {"",
                           "bucket",
                           "bucket:",
                           "bucket:0/s",
                           "bucket:-1/s",
                           "bucket:5",
                           "bucket:5/s:",
                           "bucket:5/s:burst=0",
                           "bucket:5/s:burst=x",
                           "minute:0",
                           "minute:1.5",
                           "minute:5 ",
                           "sliding:5",
                           "sliding:5/0s",
                           "sliding:5/10",
                           "concurrent:",
                           "hour:5",
                           "both:minute:5",
                           "bucket:nan/s",
                           "bucket:inf/s"}) {
    EXPECT_FALSE(read_limit(text)) << text;
  }
}

Options limited(const std::string& retry_after) {
  Options options = still();
  options.limits = {spec("bucket:2/s")};
  options.retry_after = retry_after;
  return options;
}

TEST(Throttle, AnswersTooManyWithAWaitInItsForm) {
  const std::pair<const char*, const char*> forms[] = {{"seconds", "1"},
                                                       {"decimals", "0.500"},
                                                       {"date", "Mon, 02 Mar 2026 12:00:01 GMT"},
                                                       {"absurd", "2147483647"},
                                                       {"none", ""}};
  for (const auto& [form, value] : forms) {
    TurnedWorld world(limited(form));
    EXPECT_EQ(world.get("/external/api/v3/customer").status, 200);
    const Reply reply = world.get("/external/api/v3/customer");
    EXPECT_EQ(reply.status, 429);
    EXPECT_EQ(header(reply.headers, "retry-after"), value);
    world.now += 500ms;
    EXPECT_EQ(world.get("/external/api/v3/customer").status, 200) << form;
  }
}

TEST(Throttle, CountsRefusalsAndRequestsInsideTheWait) {
  TurnedWorld world(limited("seconds"));
  const auto count = [&world](const char* what) {
    return Json::parse(world.get("/sandbox/state").body)[what].get<int>();
  };
  world.get("/external/api/v3/customer");
  world.get("/external/api/v3/customer");
  EXPECT_EQ(count("refused"), 1);
  EXPECT_EQ(count("impatient"), 0);
  world.now += 900ms;  // the bucket has one again, but the answer said one second
  world.get("/external/api/v3/customer");
  EXPECT_EQ(count("impatient"), 1);
  world.now += 1s;
  world.get("/external/api/v3/customer");
  EXPECT_EQ(count("refused"), 1);
  EXPECT_EQ(count("impatient"), 1);
}

TEST(Throttle, ProcessesNothingThatItRefuses) {
  TurnedWorld world(limited("seconds"));
  world.get("/external/api/v3/customer");
  EXPECT_EQ(world.add(batch_of(1)).status, 429);
  EXPECT_EQ(world.service.adds(), 0);
  EXPECT_TRUE(world.service.customers().empty());
}

TEST(Throttle, KeepsAPlaceUntilTheAnswerIsGone) {
  Options options = still();
  options.limits = {*read_limit("concurrent:1")};
  TurnedWorld world(options);
  {
    const Reply held = world.get("/external/api/v3/customer");
    EXPECT_EQ(held.status, 200);
    EXPECT_EQ(world.get("/external/api/v3/customer").status, 429);
  }
  EXPECT_EQ(world.get("/external/api/v3/customer").status, 200);
}

TEST(Throttle, LetsAReplyOutliveItsService) {
  Reply late;
  {
    TurnedWorld world(still());
    late = world.get("/external/api/v3/customer");
  }
  EXPECT_EQ(late.status, 200);
}

}  // namespace
}  // namespace sandbox
