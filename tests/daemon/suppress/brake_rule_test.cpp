// When a push needs a person's confirmation.
#include "daemon/suppress/brake_rule.hpp"

#include <gtest/gtest.h>

#include "mapping/values/dates.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using namespace std::chrono_literals;

const std::string kZone = "Europe/Amsterdam";
const TimePoint kNow{std::chrono::sys_days{std::chrono::year{2026} / 11 / 20}};

config::Push orders() {
  config::Push push;
  push.name = "orders";
  push.query = "SELECT 1";
  return push;
}

crm::BrakeState known(const config::Push& push) {
  return {fingerprint_of(push, kZone), 0, 500, "", std::nullopt};
}

// 28 a day for four weeks.
crm::Flow usual() {
  return {0, 28 * 28, kNow - 24h * 28, false, 28};
}

std::string why(const config::Push& push, const std::optional<crm::BrakeState>& state,
                const crm::Flow& flow, std::int64_t waiting) {
  const Wave wave{
      std::min<std::int64_t>(waiting, 100), [=] { return waiting; }, "", nullptr, {kZone}};
  return brakes_on(push, state, flow, wave, kNow).value_or("");
}

TEST(BrakesOn, AFirstRunWaitsForAPersonHoweverSmall) {
  EXPECT_EQ(why(orders(), std::nullopt, {}, 3), "the first run: up to 3 transactions would go out");
}

TEST(BrakesOn, WithoutABrakeNothingHolds) {
  config::Push push = orders();
  push.brake = false;
  EXPECT_EQ(why(push, std::nullopt, {}, 100'000), "");
}

TEST(BrakesOn, WhatAPersonLetThroughGoes) {
  crm::BrakeState state = known(orders());
  state.allowance = 1;
  EXPECT_EQ(why(orders(), state, usual(), 100'000), "");
}

TEST(BrakesOn, WhatAPersonLetThroughForAnotherQueryDoesNotGo) {
  crm::BrakeState state = known(orders());
  state.allowance = 1;
  state.fingerprint = "another";
  EXPECT_NE(why(orders(), state, usual(), 100'000), "");
  state.passed = 0;
  EXPECT_EQ(why(orders(), state, {}, 3), "the first run: up to 3 transactions would go out");
}

TEST(QueryText, TellsHowAPushAsked) {
  config::Push push = orders();
  push.query = "SELECT a\nFROM b\n";
  push.key = "id";
  push.when = "at";
  push.start.local = std::chrono::local_days{std::chrono::year{2026} / 3 / 1};
  push.start.offset = std::chrono::minutes{-90};
  push.look_back = 36h;
  const std::string text = query_text(push, {kZone});
  const auto before = asked_by(text, orders());
  ASSERT_TRUE(before);
  EXPECT_EQ(fingerprint_of(before->push, before->crm.zone), fingerprint_of(push, kZone));
  push.start.offset.reset();
  EXPECT_EQ(fingerprint_of(asked_by(query_text(push, {kZone}), orders())->push, kZone),
            fingerprint_of(push, kZone));
  EXPECT_FALSE(asked_by("id\nat\nfrom 0 local 0\nSELECT a", orders()))
      << "as an earlier version wrote it";
  EXPECT_FALSE(asked_by("id\nat\nSELECT a", orders())) << "as one before that wrote it";
  EXPECT_FALSE(asked_by("", orders()));
}

TEST(BrakesOn, ALedgerThatIsEmptyThoughRowsWentOutIsLost) {
  crm::Flow flow = usual();
  flow.ledger_empty = true;
  EXPECT_NE(why(orders(), known(orders()), flow, 3), "");
  crm::BrakeState never = known(orders());
  never.passed = 0;
  EXPECT_EQ(why(orders(), never, flow, 3), "") << "released before the first row came";
}

TEST(BrakesOn, AChangedQueryHoldsOnlyWhenItAsksMany) {
  config::Push changed = orders();
  changed.query = "SELECT 2";
  EXPECT_EQ(why(changed, known(orders()), usual(), 140), "");
  EXPECT_EQ(why(changed, known(orders()), usual(), 141),
            "the query was changed: up to 141 transactions would go out, and 140 is what passes "
            "unasked");
  crm::Flow young = usual();
  young.first_batch = kNow - 24h;
  young.usual = 10;
  EXPECT_EQ(why(changed, known(orders()), young, 100), "");
  EXPECT_NE(why(changed, known(orders()), young, 101), "");
}

TEST(BrakesOn, EveryBoundOfTheQueryCounts) {
  const std::string before = fingerprint_of(orders(), kZone);
  config::Push push = orders();
  push.look_back += 1h;
  EXPECT_NE(fingerprint_of(push, kZone), before);
  push = orders();
  push.key = "other";
  EXPECT_NE(fingerprint_of(push, kZone), before);
  push = orders();
  push.start.local -= 24h;
  EXPECT_NE(fingerprint_of(push, kZone), before);
  push = orders();
  push.every *= 2;
  EXPECT_EQ(fingerprint_of(push, kZone), before) << "asks nobody else";
  EXPECT_NE(fingerprint_of(orders(), "UTC"), before);
}

TEST(BrakesOn, AChangedZoneHoldsWhatIsOlderUntilItIsTakenBack) {
  crm::BrakeState before = known(orders());
  before.fingerprint = fingerprint_of(orders(), "UTC");
  before.query = query_text(orders(), {"UTC"});
  const Wave wave{3, [] { return 3; }, "", [] { return OlderRows{2, "2026-11-01"}; }, {kZone}};
  const auto held = brakes_on(orders(), before, usual(), wave, kNow).value_or("");
  EXPECT_EQ(held,
            "[crm] time_zone was changed: of 3 transactions that would go out 2 are from before "
            "the change, the oldest of 2026-11-01");
  const Wave some{1, [] { return 1; }, "", [] { return OlderRows{2, ""}; }, {kZone}};
  EXPECT_EQ(brakes_on(orders(), before, usual(), some, kNow).value_or(""),
            "[crm] time_zone was changed: of 2 transactions that would go out 2 are from before "
            "the change");
  before.reason = held;
  EXPECT_FALSE(is_taken_back(orders(), {kZone}, "", before));
  EXPECT_TRUE(is_taken_back(orders(), {"UTC"}, "", before));
  before.allowance = 3;
  EXPECT_FALSE(is_of(before, orders(), {kZone}, "")) << "let go for other keys";
}

TEST(BrakesOn, AnotherDatabaseHoldsWhatIsOlderUntilItIsTakenBack) {
  const CrmIdentity old{kZone, "MariaDB the shop"}, anew{kZone, "PostgreSQL shop"};
  crm::BrakeState before = known(orders());
  before.query = query_text(orders(), old);
  ASSERT_EQ(asked_by(before.query, orders())->crm.database, "MariaDB the shop");
  EXPECT_EQ(asked_by(before.query, orders())->push.query, orders().query);
  const Wave wave{3, [] { return 3; }, "", [] { return OlderRows{2, "2026-11-01"}; }, anew};
  before.reason = brakes_on(orders(), before, usual(), wave, kNow).value_or("");
  EXPECT_EQ(before.reason,
            "[crm] connection was changed: it was the database MariaDB the shop and is PostgreSQL "
            "shop, and what was sent goes out once more where keys are others; of 3 transactions "
            "that would go out 2 are from before the change, the oldest of 2026-11-01");
  EXPECT_FALSE(is_taken_back(orders(), anew, "", before));
  EXPECT_TRUE(is_taken_back(orders(), old, "", before));
  before.allowance = 3;
  EXPECT_FALSE(is_of(before, orders(), anew, "")) << "let go from the other database";
  EXPECT_TRUE(is_of(before, orders(), {kZone}, "")) << "not known";
  EXPECT_TRUE(is_of(before, orders(), {kZone, anew.database, true}, "")) << "it has the ledger";
  before.query = query_text(orders(), {kZone});
  EXPECT_TRUE(is_of(before, orders(), anew, "")) << "as an earlier version wrote it";
}

TEST(BrakesOn, ASpikeIsFiveUsualDaysAtOnce) {
  EXPECT_EQ(why(orders(), known(orders()), usual(), 140), "");
  EXPECT_NE(why(orders(), known(orders()), usual(), 141), "");
  crm::Flow steps = usual();
  steps.unasked = steps.last_day = 100;
  steps.usual += 72;  // they are no part of what is usual
  EXPECT_EQ(why(orders(), known(orders()), steps, 40), "");
  EXPECT_EQ(why(orders(), known(orders()), steps, 41),
            "a spike: up to 41 transactions would go out after 100 within a day, and 140 is what"
            " passes unasked");
  crm::Flow young = usual();
  young.first_batch = kNow - 24h * 6;
  young.usual = 6 * 30;
  EXPECT_EQ(why(orders(), known(orders()), young, 150), "");
  EXPECT_NE(why(orders(), known(orders()), young, 151), "") << "the days it has count";
  EXPECT_NE(why(orders(), known(orders()), {0, 3, kNow - 1min, false}, 101), "");
}

// It is Friday in Amsterdam.
TEST(BrakesOn, WhatCameOnClosedDaysIsNoSpike) {
  config::Push push = orders();
  push.send_days = {std::chrono::Friday};
  EXPECT_EQ(why(push, known(push), usual(), 7 * 28), "") << "a week's rows, as each week";
  EXPECT_EQ(why(push, known(push), usual(), 756 / 21 * 11), "");
  EXPECT_NE(why(push, known(push), usual(), 756 / 21 * 11 + 1), "");
  const std::chrono::local_days today{std::chrono::year{2026} / 11 / 20};
  push.send_days.clear();
  push.closed = {today - std::chrono::days{1}, today - std::chrono::days{3}};
  EXPECT_EQ(why(push, known(push), usual(), 756 / 26 * 6), "");
  EXPECT_NE(why(push, known(push), usual(), 756 / 26 * 6 + 1), "") << "it was open in between";
  EXPECT_EQ(why(push, known(push), {0, 3, kNow - 1min, false}, 100), "");
}

TEST(BrakesOn, MoreThanMaxPerHourHolds) {
  config::Push push = orders();
  push.max_per_hour = 150;
  crm::Flow flow = usual();
  flow.last_hour = 50;
  EXPECT_EQ(why(push, known(push), flow, 100), "");
  flow.last_hour = 51;
  EXPECT_NE(why(push, known(push), flow, 100), "");
  push.brake = false;
  EXPECT_NE(why(push, known(push), flow, 100), "") << "it binds by itself";
}

TimePoint at(const std::string& text) {
  return std::get<mapping::Instant>(mapping::read_date(text)->value);
}

std::string opens(std::chrono::minutes from, std::chrono::minutes to, const std::string& now) {
  config::Push push;
  push.send_window = config::Window{from, to};
  return mapping::write_instant(opening(push, "Europe/Amsterdam", at(now)));
}

TEST(Opening, IsNowWithinTheWindowAndItsNextBeginningElse) {
  EXPECT_EQ(opens(8h, 20h, "2026-11-20T07:00:00Z"), "2026-11-20T07:00:00Z");
  EXPECT_EQ(opens(8h, 20h, "2026-11-20T06:59:00Z"), "2026-11-20T07:00:00Z");
  EXPECT_EQ(opens(8h, 20h, "2026-11-20T19:00:00Z"), "2026-11-21T07:00:00Z");
  EXPECT_EQ(opening({}, "UTC", kNow), kNow);
}

TEST(Opening, MayGoThroughMidnight) {
  EXPECT_EQ(opens(20h, 6h, "2026-11-20T23:30:00Z"), "2026-11-20T23:30:00Z");
  EXPECT_EQ(opens(20h, 6h, "2026-11-20T05:00:00Z"), "2026-11-20T19:00:00Z");
}

TEST(Opening, KeepsToTheWallClockWhenItIsTurned) {
  EXPECT_EQ(opens(8h, 20h, "2026-03-28T20:00:00Z"), "2026-03-29T06:00:00Z") << "summer time";
  EXPECT_EQ(opens(150min, 20h, "2026-03-28T20:00:00Z"), "2026-03-29T01:30:00Z")
      << "02:30 is not on that day's clock";
}

TEST(Opening, KeepsToTheWallClockInTheHourThatComesTwice) {
  EXPECT_EQ(opens(150min, 20h, "2026-10-25T00:10:00Z"), "2026-10-25T00:30:00Z");
  EXPECT_EQ(opens(150min, 20h, "2026-10-25T00:40:00Z"), "2026-10-25T00:40:00Z");
  EXPECT_EQ(opens(150min, 20h, "2026-10-25T01:10:00Z"), "2026-10-25T01:30:00Z")
      << "it is 02:10, the second time";
}

// Working days from 08:00 to 20:00 by the clock of Amsterdam, but for Christmas.
config::Push on_working_days() {
  using std::chrono::local_days;
  using std::chrono::weekday;
  using std::chrono::year;
  config::Push push;
  push.send_window = config::Window{8h, 20h};
  for (unsigned day = 1; day <= 5; ++day)
    push.send_days.push_back(weekday{day});
  push.closed = {local_days{year{2026} / 12 / 24}, local_days{year{2026} / 12 / 25}};
  return push;
}

std::string opens(const config::Push& push, const std::string& now) {
  return mapping::write_instant(opening(push, "Europe/Amsterdam", at(now)));
}

TEST(Opening, IsOnASendDayThatIsNotClosed) {
  const config::Push push = on_working_days();
  EXPECT_EQ(opens(push, "2026-11-27T12:00:00Z"), "2026-11-27T12:00:00Z") << "a Friday";
  EXPECT_EQ(opens(push, "2026-11-27T19:00:00Z"), "2026-11-30T07:00:00Z") << "Friday evening";
  EXPECT_EQ(opens(push, "2026-11-29T12:00:00Z"), "2026-11-30T07:00:00Z") << "a Sunday";
  EXPECT_EQ(opens(push, "2026-12-24T12:00:00Z"), "2026-12-28T07:00:00Z") << "closed, a weekend";
  config::Push all_day = push;
  all_day.send_window.reset();
  EXPECT_EQ(opens(all_day, "2026-11-27T22:59:59Z"), "2026-11-27T22:59:59Z");
  EXPECT_EQ(opens(all_day, "2026-11-27T23:00:00Z"), "2026-11-29T23:00:00Z")
      << "it is Saturday in Amsterdam";
}

TEST(Opening, OfANightEndsWithItsCalendarDay) {
  config::Push push = on_working_days();
  push.send_window = config::Window{20h, 6h};
  EXPECT_EQ(opens(push, "2026-11-27T22:30:00Z"), "2026-11-27T22:30:00Z");
  EXPECT_EQ(opens(push, "2026-11-27T23:30:00Z"), "2026-11-29T23:00:00Z") << "Saturday, 00:30";
}

// The clock is turned on Sundays: forward on 29 March, back on 25 October.
TEST(Opening, BehindADayOnWhichTheClockIsTurnedIsAtTheSameClockTime) {
  const config::Push push = on_working_days();
  EXPECT_EQ(opens(push, "2026-03-27T19:00:00Z"), "2026-03-30T06:00:00Z");
  EXPECT_EQ(opens(push, "2026-10-23T18:00:00Z"), "2026-10-26T07:00:00Z");
  config::Push sundays = push;
  sundays.send_days = {std::chrono::Sunday};
  sundays.send_window.reset();
  EXPECT_EQ(opens(sundays, "2026-03-28T22:59:59Z"), "2026-03-28T23:00:00Z");
  EXPECT_EQ(opens(sundays, "2026-03-29T21:59:59Z"), "2026-03-29T21:59:59Z") << "of 23 hours";
  EXPECT_EQ(opens(sundays, "2026-03-29T22:00:00Z"), "2026-04-04T22:00:00Z");
  EXPECT_EQ(opens(sundays, "2026-10-24T21:59:59Z"), "2026-10-24T22:00:00Z");
  EXPECT_EQ(opens(sundays, "2026-10-25T22:59:59Z"), "2026-10-25T22:59:59Z") << "of 25 hours";
  EXPECT_EQ(opens(sundays, "2026-10-25T23:00:00Z"), "2026-10-31T23:00:00Z");
}

// In Havana a day may begin twice: 01:00 becomes 00:00.
TEST(Opening, IsOnceWhereTheDayBeginsTwice) {
  config::Push push;
  push.closed = {std::chrono::local_days{std::chrono::year{2026} / 10 / 31}};
  EXPECT_EQ(mapping::write_instant(opening(push, "America/Havana", at("2026-11-01T03:30:00Z"))),
            "2026-11-01T04:00:00Z");
  for (const char* now : {"2026-11-01T04:30:00Z", "2026-11-01T05:30:00Z"})
    EXPECT_EQ(opening(push, "America/Havana", at(now)), at(now));
}

}  // namespace
