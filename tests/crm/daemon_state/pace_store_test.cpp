// The stored rates of the instances, on every database.
#include "connectors/crm/daemon_state/pace_store.hpp"

#include <gtest/gtest.h>

#include "connectors/crm/schema/schema.hpp"
#include "tests/crm/conformance.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;

class PaceTests : public OnEveryDatabase {};

PaceRow row_of(const std::string& owner, double edge) {
  return {owner,
          {0.98 * edge, edge},
          {{2 * edge, 3 * edge}},
          2,
          Instant{1'700'000'000s},
          std::nullopt,
          {},
          {},
          "push.a"};
}

TEST_P(PaceTests, KeepsWhatAnInstanceKnows) {
  Database& database = open();
  make_schema(database);
  PaceStore paces(database);
  EXPECT_TRUE(paces.load("service").empty());
  paces.save("service", row_of("one", 19.5), 30s);
  const auto rows = paces.load("service");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].owner, "one");
  EXPECT_NEAR(rows[0].all.per_second, 19.11, 0.001);
  EXPECT_NEAR(rows[0].all.edge, 19.5, 0.001);
  ASSERT_TRUE(rows[0].read);
  EXPECT_NEAR(rows[0].read->per_second, 39, 0.001);
  EXPECT_NEAR(rows[0].read->edge, 58.5, 0.001);
  EXPECT_EQ(rows[0].share, 2);
  EXPECT_EQ(rows[0].refused_at, Instant{1'700'000'000s});
  EXPECT_FALSE(rows[0].held_until);
  EXPECT_EQ(rows[0].waiting, "push.a");
  EXPECT_EQ(rows[0].live_until - rows[0].seen_at, 30s);
}

TEST_P(PaceTests, HasOneRowAnInstanceAndService) {
  Database& database = open();
  make_schema(database);
  PaceStore paces(database);
  paces.save("service", row_of("one", 10), 30s);
  paces.save("service", row_of("one", 20), 0s);
  paces.save("service", row_of("two", 30), 30s);
  paces.save("another", row_of("one", 40), 30s);
  const auto rows = paces.load("service");
  ASSERT_EQ(rows.size(), 2u);
  for (const auto& row : rows)
    EXPECT_NEAR(row.all.edge, row.owner == "one" ? 20 : 30, 0.001);
  EXPECT_EQ(paces.load("another").size(), 1u);
}

TEST_P(PaceTests, ForgetsWhoHasBeenGoneForADay) {
  Database& database = open();
  make_schema(database);
  PaceStore paces(database);
  paces.save("service", row_of("long gone", 10), std::chrono::seconds{-90'000});
  paces.save("service", row_of("just gone", 10), 0s);
  paces.save("service", row_of("here", 10), 30s);
  const auto rows = paces.load("service");
  ASSERT_EQ(rows.size(), 2u);
  for (const auto& row : rows)
    EXPECT_NE(row.owner, "long gone");
}

INSTANTIATE_TEST_SUITE_P(Databases, PaceTests, every_database(), server_name);

}  // namespace
}  // namespace surveybridge::crm
