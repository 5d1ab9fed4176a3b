#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sandbox/turned_world.hpp"

namespace sandbox {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kRatings = "/external/api/v3/rating";
const std::string kBouncers = "/external/api/v3/customer/getbouncers";

// Two hundred customers that are finished.
struct Aged : testing::Test {
  Aged() {
    world.add(batch_of(200));
    world.now += 90 * 24h;
  }
  TurnedWorld world;
};

using Ratings = Aged;
using Bouncers = Aged;

TEST_F(Ratings, NeedTheirFilter) {
  EXPECT_THAT(places(world.get(kRatings)), ElementsAre("ReviewApprovedDateFilter"));
  EXPECT_THAT(places(world.get(kRatings + "?Limit=5")), ElementsAre("ReviewApprovedDateFilter"));
  EXPECT_EQ(world.get(kRatings + "?ReviewApprovedDateFilter.From=2026-01-01").status, 200);
}

TEST_F(Ratings, AreThoseWhoseReviewWasApproved) {
  const Json page = world.ask(kRatings + "?ReviewApprovedDateFilter.From=2026-01-01");
  const auto approved = world.ids("ReviewStatus=Approved");
  EXPECT_EQ(approved, world.ids("ReviewStatus=2"));
  ASSERT_EQ(page["Ratings"].size(), approved.size());
  ASSERT_GT(approved.size(), 20U);
  std::size_t reactions = 0;
  for (const Json& rating : page["Ratings"]) {
    EXPECT_TRUE(rating["FinishedDate"].is_string());
    EXPECT_TRUE(rating["ReviewApprovedDate"].is_string());
    EXPECT_EQ(rating["Data"][0]["DisplayName"], "Order number");
    EXPECT_TRUE(rating["Answers"][0]["Score"].is_number_integer());
    reactions += rating["Reactions"].size();
  }
  EXPECT_GT(reactions, 3U);
}

TEST_F(Ratings, AreFilteredByDateAndData) {
  EXPECT_THAT(world.ask(kRatings + "?ReviewApprovedDateFilter.To=1990-12-31")["Ratings"],
              IsEmpty());
  const std::string all = kRatings + "?ReviewApprovedDateFilter.From=2026-01-01";
  const Json first = world.ask(all)["Ratings"][0];
  const std::string order = first["Data"][0]["Value"];
  const Json found =
      world.ask(all + "&DataFilters[0].CustomerDataColumnId=1&DataFilters[0].Value=" + order);
  EXPECT_THAT(found["Ratings"], ElementsAre(first));
}

TEST_F(Ratings, OfTestCustomersDoNotExist) {
  TurnedWorld other;
  Json test = batch_of(200);
  test["IsTest"] = true;
  other.add(test);
  other.now += 90 * 24h;
  EXPECT_THAT(other.ask(kRatings + "?ReviewApprovedDateFilter.From=2026-01-01")["Ratings"],
              IsEmpty());
}

TEST_F(Bouncers, AreThoseWhoBounced) {
  const Json page = world.ask(kBouncers);
  EXPECT_EQ(page["Bouncers"].size(), world.ids("Statuses=9&Statuses=10").size());
  std::set<std::string> reasons;
  for (const Json& bouncer : page["Bouncers"]) {
    EXPECT_TRUE(bouncer["DateSent"].is_string());
    EXPECT_EQ(bouncer["Data"][0]["Name"], "OrderNumber");
    reasons.insert(bouncer["Reason"]);
  }
  EXPECT_THAT(reasons, ElementsAre("HardBounce", "SoftBounce"));
}

TEST_F(Bouncers, AreFilteredByTransactionDate) {
  EXPECT_THAT(world.ask(kBouncers + "?TransactionDateFilter.To=1990-12-31")["Bouncers"], IsEmpty());
  EXPECT_THAT(world.ask(kBouncers + "?TransactionDateFilter.From=2026-03-02")["Bouncers"],
              testing::Not(IsEmpty()));
}

TEST_F(Bouncers, KnowNoOtherFilter) {
  EXPECT_THAT(places(world.get(kBouncers + "?LastActivityDateFilter.From=2026-03-02")),
              ElementsAre("LastActivityDateFilter.From"));
}

TEST_F(Bouncers, TurnPages) {
  const Json first = world.ask(kBouncers + "?Limit=1");
  EXPECT_EQ(first["Bouncers"].size(), 1U);
  EXPECT_TRUE(first["NextCursor"].is_string());
}

}  // namespace
}  // namespace sandbox
