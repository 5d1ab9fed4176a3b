// The past of a list in slices.
#include "daemon/pull/backfill_plan.hpp"

#include <gtest/gtest.h>

#include "daemon/pull/retention.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using std::chrono::hours;

const TimePoint kFrom{std::chrono::sys_days{std::chrono::year{2025} / 1 / 1}};

TEST(SlicesOf, CoverTheWholeWithoutAGap) {
  const TimePoint to = kFrom + hours{24 * 31} + Duration{1};
  const auto slices = slices_of(kFrom, to, 4);
  ASSERT_EQ(slices.size(), 4u);
  EXPECT_EQ(slices.front().from, kFrom);
  EXPECT_EQ(slices.back().to, to);
  for (std::size_t i = 1; i < slices.size(); ++i)
    EXPECT_EQ(slices[i].from, slices[i - 1].to);
  EXPECT_EQ(slices_of(kFrom, to, 1).size(), 1u);
}

config::Pull customers() {
  config::Pull pull;
  pull.name = "customers";
  pull.by = {"LastActivityDate", "OptedOutDate"};
  return pull;
}

TEST(PlanBackfill, NamesEachWalkByTheWholeAndItsNumber) {
  const auto plans = plan_backfill(customers(), {}, {kFrom, kFrom + hours{2}});
  ASSERT_EQ(plans.size(), 2u) << "its first date only, and no window shorter than an hour";
  const std::string whole = "backfill LastActivityDate 2025-01-01T00:00:00Z..2025-01-01T02:00:00Z";
  EXPECT_EQ(plans[0].name, whole + " 1/2");
  EXPECT_EQ(plans[1].name, whole + " 2/2");
  EXPECT_EQ(plans[1].only->from, kFrom + hours{1});
  EXPECT_EQ(plans[1].only->to, kFrom + hours{2});
  EXPECT_EQ(plan_backfill(customers(), {}, {kFrom, kFrom + Duration{1}}).size(), 1u);
  EXPECT_EQ(plan_backfill(customers(), {}, {kFrom, kFrom + hours{24 * 5000}}).size(), 32u);
}

TEST(EndOfBegun, IsWhereTheUnfinishedOneEnds) {
  const TimePoint to = kFrom + hours{50};
  std::vector<std::string> left;
  for (const auto& plan : plan_backfill(customers(), {}, {kFrom, to}))
    left.push_back(plan.name);
  EXPECT_EQ(end_of_begun(customers(), kFrom, left), to);
  left.push_back(plan_backfill(customers(), {}, {kFrom, to + hours{1}}).front().name + "?a1b2");
  EXPECT_EQ(end_of_begun(customers(), kFrom, left), to + hours{1}) << "the latest";
}

TEST(EndOfBegun, IsNotThatOfAnotherBackfill) {
  EXPECT_FALSE(end_of_begun(customers(), kFrom, {}));
  auto name = plan_backfill(customers(), {}, {kFrom, kFrom + hours{50}}).front().name;
  EXPECT_FALSE(end_of_begun(customers(), kFrom + hours{1}, {name, "LastActivityDate"}));
  auto other = customers();
  other.by = {"OptedOutDate"};
  EXPECT_FALSE(end_of_begun(other, kFrom, {name}));
  for (const char* odd :
       {"backfill LastActivityDate 2025-01-01T00:00:00Z..",
        "backfill LastActivityDate 2025-01-01T00:00:00Z..soon 1/2",
        "backfill LastActivityDate 2025-01-01T00:00:00Z..2024-01-01T00:00:00Z 1/2"})
    EXPECT_FALSE(end_of_begun(customers(), kFrom, {odd})) << odd;
}

TEST(OpenWindow, OfABackfillIsItsSlice) {
  WalkPlan plan;
  plan.only = Slice{kFrom, kFrom + hours{24}};
  plan.overlap = hours{24};
  const auto walk = open_window({}, plan, "UTC", kFrom + hours{24 * 300});
  EXPECT_EQ(walk.window_from, kFrom);
  EXPECT_EQ(walk.window_to, kFrom + hours{24});
}

TEST(IsOld, GoesByTheDateThatMatters) {
  mapping::Record customer(mapping::customer());
  EXPECT_FALSE(is_old(customer, config::Pull::List::customers, kFrom)) << "nobody knows";
  customer.set("LastActivityDate", kFrom - hours{1});
  EXPECT_TRUE(is_old(customer, config::Pull::List::customers, kFrom));
  EXPECT_FALSE(is_old(customer, config::Pull::List::customers, kFrom - hours{1}));
}

}  // namespace
