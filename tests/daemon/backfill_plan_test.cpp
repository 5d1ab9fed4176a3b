// A list's past in slices.
#include "daemon/backfill_plan.hpp"

#include <gtest/gtest.h>

#include "daemon/pull_plan.hpp"
#include "daemon/retention.hpp"

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

TEST(PlanBackfill, NamesEachWalkByItsSlice) {
  config::Pull pull;
  pull.name = "customers";
  pull.by = {"LastActivityDate", "OptedOutDate"};
  const auto plans = plan_backfill(pull, {}, slices_of(kFrom, kFrom + hours{48}, 2));
  ASSERT_EQ(plans.size(), 2u) << "its first date only";
  EXPECT_EQ(plans[0].name, "backfill LastActivityDate 2025-01-01T00:00:00Z..2025-01-02T00:00:00Z");
  EXPECT_NE(plans[0].name, plans[1].name);
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
