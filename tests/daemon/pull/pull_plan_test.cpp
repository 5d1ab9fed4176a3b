#include "daemon/pull/pull_plan.hpp"

#include <gtest/gtest.h>

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using std::chrono::days;
using std::chrono::hours;

const TimePoint kToday{std::chrono::sys_days{std::chrono::year{2026} / 11 / 20}};

WalkPlan plan() {
  WalkPlan plan;
  plan.name = plan.by = "LastActivityDate";
  plan.overlap = hours{24};
  plan.from = config::Date{std::chrono::local_days{std::chrono::year{2026} / 1 / 1}, {}};
  return plan;
}

crm::StoredWalk walk() {
  crm::StoredWalk walk;
  walk.list = "customers";
  walk.walk = "LastActivityDate";
  return walk;
}

TEST(OpenWindow, BeginsAtFromInTheCrmsZone) {
  const auto open = open_window(walk(), plan(), "Europe/Amsterdam", kToday);
  EXPECT_EQ(*open.window_from,
            TimePoint{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1} - hours{1}});
  EXPECT_EQ(*open.window_to, kToday);
}

TEST(OpenWindow, LooksBackFromTheWatermarkByTheOverlap) {
  auto before = walk();
  before.watermark = kToday - days{2};
  EXPECT_EQ(*open_window(before, plan(), "UTC", kToday).window_from, kToday - days{3});
}

TEST(OpenWindow, NeverBeginsBeforeFrom) {
  auto before = walk();
  before.watermark = TimePoint{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
  EXPECT_EQ(*open_window(before, plan(), "UTC", kToday).window_from, *before.watermark);
}

TEST(OpenWindow, BelievesNoWatermarkThatIsAheadOfTheClock) {
  auto before = walk();
  before.watermark = kToday + hours{1};
  EXPECT_EQ(*open_window(before, plan(), "UTC", kToday).window_from, kToday - hours{24});
  before.watermark = kToday + days{30};
  EXPECT_EQ(*open_window(before, plan(), "UTC", kToday).window_from,
            TimePoint{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}});
}

TEST(NextWindow, IsDueAtOnceWhereTheLastEndedInAFutureThatNeverCame) {
  auto hourly = plan();
  hourly.every = hours{1};
  auto before = walk();
  EXPECT_EQ(next_window(before, hourly, kToday), kToday);
  before.finished_at = kToday;
  EXPECT_EQ(next_window(before, hourly, kToday), kToday + hours{1});
  before.finished_at = kToday + days{30};
  EXPECT_EQ(next_window(before, hourly, kToday), kToday);
}

TEST(OpenWindow, WalksBouncersLookBackAgainAndAgain) {
  auto bouncers = plan();
  bouncers.look_back = days{60};
  auto before = walk();
  before.watermark = kToday;
  EXPECT_EQ(*open_window(before, bouncers, "UTC", kToday).window_from, kToday - days{60});
}

TEST(OpenWindow, GoesOnWithTheOneUnderWay) {
  auto before = walk();
  before.window_from = kToday - days{9};
  before.window_to = kToday - days{8};
  before.cursor = "c7";
  before.pages = 7;
  const auto open = open_window(before, plan(), "UTC", kToday);
  EXPECT_EQ(open.cursor, "c7");
  EXPECT_EQ(*open.window_to, kToday - days{8});
}

crm::StoredWalk opened() {
  return open_window(walk(), plan(), "UTC", kToday - hours{1});
}

TEST(AfterPage, FollowsTheCursorAlsoTheSameOne) {
  auto next = after_page(opened(), "c1", kToday);
  EXPECT_TRUE(is_open(next));
  EXPECT_EQ(next.cursor, "c1");
  EXPECT_EQ(next.pages, 1);
  EXPECT_TRUE(is_open(after_page(next, "c1", kToday)));
}

TEST(AfterPage, ClosesTheWindowAndMovesTheWatermarkToItsEnd) {
  const auto next = after_page(opened(), "", kToday);
  EXPECT_FALSE(is_open(next));
  EXPECT_EQ(*next.watermark, kToday - hours{1});
  EXPECT_EQ(*next.finished_at, kToday);
  EXPECT_TRUE(next.cursor.empty());
}

TEST(StartAgain, KeepsTheWindow) {
  auto before = opened();
  before.cursor = "c5";
  before.pages = 5;
  const auto again = start_again(before);
  EXPECT_EQ(again.window_to, before.window_to);
  EXPECT_TRUE(again.cursor.empty());
  EXPECT_EQ(again.restarts, 1);
}

crm::StoredWalk open_walk(Duration length, std::int64_t pages = 0) {
  auto open = walk();
  open.window_from = kToday - length;
  open.window_to = open.begun_at = kToday;
  open.pages = pages;
  return open;
}

mapping::Record active_at(std::int64_t id, std::optional<TimePoint> at) {
  mapping::Record record(mapping::customer());
  record.set("Id", id);
  if (at) record.set("LastActivityDate", *at);
  return record;
}

TEST(Divided, IsReadPartByPartEachTwiceAsLong) {
  auto part = divided(open_walk(hours{8}, 7), 8, kToday + hours{1});
  ASSERT_TRUE(part);
  std::vector<Duration> lengths;
  TimePoint end = kToday - hours{8};
  for (auto at = *part; is_open(at); at = after_page(at, "", kToday + hours{1})) {
    EXPECT_EQ(*at.window_from, end);
    end = *at.window_to;
    lengths.push_back(*at.window_to - *at.window_from);
    EXPECT_EQ(*at.begun_at, kToday + hours{1});
    EXPECT_EQ(at.pages, 0);
    EXPECT_FALSE(at.watermark);
  }
  EXPECT_EQ(lengths, (std::vector<Duration>{hours{1}, hours{2}, hours{4}, hours{1}}));
  EXPECT_EQ(end, kToday);
}

TEST(Divided, HasNoPartThatIsShorterThanASecond) {
  const auto part = divided(open_walk(std::chrono::seconds{2}), 3, kToday);
  ASSERT_TRUE(part);
  EXPECT_EQ(*part->window_to - *part->window_from, Duration{std::chrono::seconds{1}});
  EXPECT_FALSE(divided(*part, 3, kToday));
}

TEST(Divided, HasNoPartThatIsShorterThanADayWhereDatesAreDays) {
  config::ServiceDialect dialect;
  EXPECT_EQ(shortest_part(dialect), Duration{std::chrono::seconds{1}});
  dialect.dates = config::ServiceDialect::Dates::date;
  const auto part = divided(open_walk(days{3}), 8, kToday, shortest_part(dialect));
  ASSERT_TRUE(part);
  EXPECT_EQ(*part->window_to - *part->window_from, Duration{days{1}});
  EXPECT_FALSE(divided(*part, 8, kToday, shortest_part(dialect)));
}

// A part that can be divided no more is left out only after the list has answered for another
// second.
TEST(ReadsAround, OneFailureBesideAPartThatWasReadLeavesNothingOut) {
  const service::Trouble trouble{service::Trouble::Kind::unavailable, 500, std::nullopt, ""};
  ReadAround around;
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(around.after(trouble, true),
              i < 2 ? ReadAround::Next::wait : ReadAround::Next::ask_before);
  around.answered();
  EXPECT_EQ(around.after(trouble, true), ReadAround::Next::divide);
  around.succeeded();
  EXPECT_EQ(around.after(trouble, true), ReadAround::Next::divide) << "a neighbour was read";
  around.succeeded();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(around.after(trouble, false),
              i < 2 ? ReadAround::Next::wait : ReadAround::Next::ask_before);
  around.answered();
  EXPECT_EQ(around.after(trouble, false), ReadAround::Next::divide);
}

TEST(FailuresMax, AreOfWhatOneRecordMayCause) {
  using service::Trouble;
  EXPECT_EQ(failures_max(Trouble{Trouble::Kind::unavailable, 500, std::nullopt, ""}), 3);
  EXPECT_EQ(failures_max(Trouble{Trouble::Kind::unavailable, 504, std::nullopt, ""}), 6);
  EXPECT_EQ(failures_max(Trouble{Trouble::Kind::malformed, 200, std::nullopt, ""}), 3);
  EXPECT_EQ(failures_max(Trouble{Trouble::Kind::unavailable, 500, std::chrono::seconds{9}, ""}), 3);
  EXPECT_EQ(failures_max(Trouble{Trouble::Kind::forbidden, 403, std::nullopt, ""}), 3);
  EXPECT_FALSE(failures_max(Trouble{Trouble::Kind::unauthorized, 401, std::nullopt, ""}));
  EXPECT_FALSE(failures_max(Trouble{Trouble::Kind::too_many, 429, std::nullopt, ""}));
  EXPECT_FALSE(failures_max(service::without_list(service::customers())));
}

TEST(NeedsMoveCheck, OnlyAfterTheLastOfSeveralPages) {
  EXPECT_FALSE(needs_move_check(open_walk(hours{8}, 0), ""));
  EXPECT_FALSE(needs_move_check(open_walk(hours{8}, 1), "more"));
  EXPECT_TRUE(needs_move_check(open_walk(hours{8}, 1), ""));
  auto part = *divided(open_walk(hours{8}, 9), 4, kToday);
  part.pages = 1;
  EXPECT_TRUE(needs_move_check(part, ""));
}

TEST(MovedSince, AsksFromTheEndOfTheWindowOrFromAMinuteBeforeItWasBegun) {
  const auto from = [](const crm::StoredWalk& walk) {
    return *std::get<service::DateFilter>(moved_since(walk, plan()).argument).from;
  };
  EXPECT_EQ(from(open_walk(hours{8})), kToday);
  const auto part = *divided(open_walk(hours{8}), 2, kToday + hours{1});
  EXPECT_EQ(from(part), kToday + std::chrono::minutes{59});
}

TEST(KeysAfter, AreThoseOfRecordsThatLeftTheWindowOrDoNotTell) {
  const auto keys = keys_after(
      {active_at(1, kToday), active_at(2, kToday + Duration{1}), active_at(3, std::nullopt)},
      open_walk(hours{8}), plan());
  EXPECT_EQ(keys, (std::vector<mapping::Value>{std::int64_t{2}, std::int64_t{3}}));
}

TEST(WereInside, NotThoseStoredBeforeTheWindowBegan) {
  const auto window = open_walk(hours{8});
  EXPECT_FALSE(were_inside({active_at(1, kToday - hours{9})}, window, plan()));
  EXPECT_TRUE(were_inside({active_at(1, kToday - hours{8})}, window, plan()));
  EXPECT_TRUE(were_inside({active_at(1, std::nullopt)}, window, plan()));
}

TEST(IsLeftToTheNext, AWindowUpToTwiceAsLongAsTheNextOneButNoPartAndNoBackfill) {
  auto daily = plan();
  EXPECT_TRUE(is_left_to_the_next(open_walk(hours{48}), daily));
  EXPECT_FALSE(is_left_to_the_next(open_walk(hours{49}), daily));
  EXPECT_FALSE(is_left_to_the_next(*divided(open_walk(hours{8}), 2, kToday), daily));
  daily.only = Slice{kToday - hours{8}, kToday};
  EXPECT_FALSE(is_left_to_the_next(open_walk(hours{8}), daily));
}

}  // namespace
