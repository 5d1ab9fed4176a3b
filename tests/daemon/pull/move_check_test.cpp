#include "daemon/pull/move_check.hpp"

#include <gtest/gtest.h>

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using std::chrono::hours;

const TimePoint kWindowEnd{std::chrono::sys_days{std::chrono::year{2026} / 11 / 20}};

WalkPlan activity_plan() {
  WalkPlan plan;
  plan.name = plan.by = "LastActivityDate";
  plan.overlap = hours{24};
  return plan;
}

crm::StoredWalk open_walk(Duration length, std::int64_t pages = 0) {
  crm::StoredWalk open;
  open.window_from = kWindowEnd - length;
  open.window_to = open.begun_at = kWindowEnd;
  open.pages = pages;
  return open;
}

mapping::Record active_at(std::int64_t id, std::optional<TimePoint> at) {
  mapping::Record record(mapping::customer());
  record.set("Id", id);
  if (at) record.set("LastActivityDate", *at);
  return record;
}

TEST(NeedsMoveCheck, OnlyAfterTheLastOfSeveralPages) {
  EXPECT_FALSE(needs_move_check(open_walk(hours{8}, 0), ""));
  EXPECT_FALSE(needs_move_check(open_walk(hours{8}, 1), "more"));
  EXPECT_TRUE(needs_move_check(open_walk(hours{8}, 1), ""));
  auto part = *divided(open_walk(hours{8}, 9), 4, kWindowEnd);
  part.pages = 1;
  EXPECT_TRUE(needs_move_check(part, ""));
}

TEST(MovedSince, AsksFromTheEndOfTheWindowOrFromAMinuteBeforeItWasBegun) {
  const auto from = [](const crm::StoredWalk& walk) {
    return *std::get<service::DateFilter>(moved_since(walk, activity_plan()).argument).from;
  };
  EXPECT_EQ(from(open_walk(hours{8})), kWindowEnd);
  const auto part = *divided(open_walk(hours{8}), 2, kWindowEnd + hours{1});
  EXPECT_EQ(from(part), kWindowEnd + std::chrono::minutes{59});
}

TEST(KeysAfter, AreThoseOfRecordsThatLeftTheWindowOrDoNotTell) {
  const auto keys = keys_after({active_at(1, kWindowEnd), active_at(2, kWindowEnd + Duration{1}),
                                active_at(3, std::nullopt)},
                               open_walk(hours{8}), activity_plan());
  EXPECT_EQ(keys, (std::vector<mapping::Value>{std::int64_t{2}, std::int64_t{3}}));
}

TEST(WereInside, NotThoseStoredBeforeTheWindowBegan) {
  const auto window = open_walk(hours{8});
  EXPECT_FALSE(were_inside({active_at(1, kWindowEnd - hours{9})}, window, activity_plan()));
  EXPECT_TRUE(were_inside({active_at(1, kWindowEnd - hours{8})}, window, activity_plan()));
  EXPECT_TRUE(were_inside({active_at(1, std::nullopt)}, window, activity_plan()));
}

TEST(IsLeftToTheNext, AWindowUpToTwiceAsLongAsTheNextOneButNoPartAndNoBackfill) {
  auto daily = activity_plan();
  EXPECT_TRUE(is_left_to_the_next(open_walk(hours{48}), daily));
  EXPECT_FALSE(is_left_to_the_next(open_walk(hours{49}), daily));
  EXPECT_FALSE(is_left_to_the_next(*divided(open_walk(hours{8}), 2, kWindowEnd), daily));
  daily.only = Slice{kWindowEnd - hours{8}, kWindowEnd};
  EXPECT_FALSE(is_left_to_the_next(open_walk(hours{8}), daily));
}

}  // namespace
