#include "connectors/crm/leases/lease.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "tests/crm/conformance.hpp"
#include "tests/crm/turned_clock.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;

class LeaseTests : public OnOurTables {
 protected:
  TurnedClock database{open()};
  TurnedClock elsewhere{open()};  // another instance's session
  Leases ours{database}, theirs{elsewhere};
};

TEST_P(LeaseTests, BelongToTheFirstWhoTakesThem) {
  const auto lease = ours.take("pull:customers", "one", 30s);
  ASSERT_TRUE(lease);
  EXPECT_EQ(lease->name, "pull:customers");
  EXPECT_EQ(lease->owner, "one");
  EXPECT_EQ(lease->fence, 1);
  EXPECT_EQ(lease->expires_at, database.time + 30s);
  EXPECT_FALSE(theirs.take("pull:customers", "two", 30s));
  EXPECT_TRUE(theirs.take("pull:ratings", "two", 30s));
}

TEST_P(LeaseTests, KeepTheirNumberWhenRenewed) {
  ours.take("x", "one", 30s);
  database.advance(20s);
  const auto again = ours.take("x", "one", 30s);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->fence, 1);
  EXPECT_EQ(again->expires_at, database.time + 30s);
}

TEST_P(LeaseTests, ChangeHandsAtTheVeryMomentTheyExpire) {
  ours.take("x", "one", 30s);
  elsewhere.advance(30s - 1us);
  EXPECT_FALSE(theirs.take("x", "two", 30s));
  elsewhere.advance(1us);
  const auto taken = theirs.take("x", "two", 30s);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->fence, 2);
}

TEST_P(LeaseTests, AreFreeOnceReleasedAndCountOn) {
  const auto lease = ours.take("x", "one", 30s);
  ours.release(*lease);
  const auto next = theirs.take("x", "two", 30s);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->fence, 2);
  theirs.release(*next);
  const auto last = ours.take("x", "one", 30s);
  EXPECT_EQ(last->fence, 3);
  database.advance(1h);
  ours.release(*last);
  EXPECT_TRUE(theirs.take("x", "two", 30s)) << "that clock was ahead of this one";
}

class PostgresqlLeases : public LeaseTests {
 protected:
  // Takes leases in a session of its own, which then ends as if its machine had gone.
  void take_and_go(const std::vector<std::string>& names) {
    const auto opened = open_database(connection());
    TurnedClock session(*opened);
    for (const auto& name : names)
      Leases(session).take(name, "gone", 200s);
  }
  // The server notices the end of a session a moment later.
  std::int64_t ended_without_session(std::chrono::seconds lasts) {
    std::int64_t ended = 0;
    for (const auto end = std::chrono::steady_clock::now() + 30s;
         ended == 0 && std::chrono::steady_clock::now() < end;)
      ended = theirs.end_those_without_session(lasts, 50s);
    return ended;
  }
};
INSTANTIATE_TEST_SUITE_P(Databases, PostgresqlLeases, every_postgresql(), server_name);

TEST_P(PostgresqlLeases, EndWithTheirSession) {
  ASSERT_TRUE(ours.take("pull.ratings", "lives", 200s));
  take_and_go({"pull.customers"});
  EXPECT_EQ(ended_without_session(200s), 1);
  EXPECT_TRUE(theirs.take("pull.customers", "two", 30s));
  EXPECT_FALSE(theirs.take("pull.ratings", "two", 30s));
}

TEST_P(PostgresqlLeases, OfAnInstanceLastAsLongAsItMaySend) {
  take_and_go({"instance:gone", "pull.customers"});
  EXPECT_EQ(ended_without_session(200s), 1) << "its claims may go out for 50 s";
  EXPECT_EQ(theirs.end_those_without_session(200s, 50s), 0);
  EXPECT_EQ(theirs.end_those_without_session(270s, 50s), 1) << "as if 70 s had passed";
}

TEST_P(LeaseTests, OfInstancesThatEndedADayAgoAreRemoved) {
  ours.take("instance:old", "old", 30s);
  ours.take("pull.customers", "old", 30s);
  database.advance(24h);
  ours.take("instance:new", "new", 30s);
  EXPECT_EQ(ours.remove_ended(), 0);
  database.advance(1min);
  EXPECT_EQ(ours.remove_ended(), 1);
  EXPECT_EQ(ours.take("pull.customers", "two", 30s)->fence, 2) << "a walk's number is kept";
}

TEST_P(LeaseTests, OfTheDeadAreFreeAtOnce) {
  ours.take("x", "dead-orders", 30s);
  ours.take("y", "alive", 30s);
  const auto has_ended = [](const std::string& owner) { return owner.starts_with("dead"); };
  EXPECT_EQ(theirs.end_those_of(has_ended), 1);
  EXPECT_EQ(theirs.end_those_of(has_ended), 0);
  const auto taken = theirs.take("x", "two", 30s);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->fence, 2);
  EXPECT_FALSE(theirs.take("y", "two", 30s));
}

TEST_P(LeaseTests, OfAClockThatWasAheadHoldNothing) {
  database.advance(24h);
  ASSERT_TRUE(ours.take("x", "one", 30s));
  EXPECT_TRUE(theirs.take("x", "two", 30s)) << "it would be held for a day";
}

TEST_P(LeaseTests, AreNotReleasedByWhoHasLostThem) {
  const auto old = ours.take("x", "one", 30s);
  elsewhere.advance(31s);
  const auto now = theirs.take("x", "two", 30s);
  ours.release(*old);
  EXPECT_NO_THROW(theirs.confirm(*now));
  ours.release({"unknown", "one", 1, database.time});
}

TEST_P(LeaseTests, AreConfirmedToTheirHolder) {
  const auto lease = ours.take("x", "one", 30s);
  Transaction transaction(database);
  EXPECT_NO_THROW(ours.confirm(*lease));
}

TEST_P(LeaseTests, AreLostOnceExpired) {
  const auto lease = ours.take("x", "one", 30s);
  database.advance(30s);
  EXPECT_THROW(ours.confirm(*lease), LeaseLost);
}

TEST_P(LeaseTests, AreLostOnceAnotherHasTakenThem) {
  const auto lease = ours.take("x", "one", 30s);
  elsewhere.advance(31s);
  ASSERT_TRUE(theirs.take("x", "two", 30s));
  EXPECT_THROW(ours.confirm(*lease), LeaseLost) << "although our clock says it is ours";
}

TEST_P(LeaseTests, AreLostWhenWeTookThemAgainAfterAnother) {
  const auto first = ours.take("x", "one", 30s);
  elsewhere.advance(31s);
  theirs.release(theirs.take("x", "two", 30s).value());
  database.advance(32s);
  const auto again = ours.take("x", "one", 30s);
  EXPECT_THROW(ours.confirm(*first), LeaseLost) << "a paused thread of ours is fenced off too";
  EXPECT_NO_THROW(ours.confirm(*again));
}

TEST_P(LeaseTests, AreLostWhenNobodyKnowsThem) {
  EXPECT_THROW(ours.confirm({"never taken", "one", 1, database.time + 1h}), LeaseLost);
}

TEST_P(LeaseTests, CannotChangeHandsBetweenTheirConfirmationAndTheCommit) {
  const auto lease = ours.take("x", "one", 30s);
  elsewhere.advance(31s);
  elsewhere.execute({no_patience(database.dialect()), {}});
  {
    Transaction transaction(database);
    ours.confirm(*lease);
    const auto error = error_of([&] { theirs.take("x", "two", 30s); });
    EXPECT_EQ(error.kind, DatabaseError::Kind::busy) << error.what();
    transaction.commit();
  }
  EXPECT_EQ(theirs.take("x", "two", 30s).value().fence, 2);
}

TEST_P(LeaseTests, GoToOneOfManyWhoReachForThem) {
  std::vector<std::thread> instances;
  std::atomic<int> holders = 0;
  for (const char* owner : {"one", "two", "three", "four"}) {
    instances.emplace_back([&holders, owner, &session = open()] {
      if (Leases(session).take("x", owner, 30s)) ++holders;
    });
  }
  for (auto& instance : instances)
    instance.join();
  EXPECT_EQ(holders, 1);
}

INSTANTIATE_TEST_SUITE_P(Databases, LeaseTests, every_database(), server_name);

}  // namespace
}  // namespace surveybridge::crm
