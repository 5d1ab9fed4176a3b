// What came in each hour, of pushes by their ledger and of walks by their pages.
#include "connectors/crm/pulled/arrivals.hpp"

#include <gtest/gtest.h>

#include "connectors/crm/schema/ledger_words.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/crm/turned_clock.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;
using Rows = std::vector<std::int64_t>;

class ArrivalTests : public OnOurTables {
 protected:
  void row(const std::string& push, const std::string& key, State state, Instant seen,
           Instant changed) {
    put_in_ledger(database, push, key, to_string(state), seen, changed);
  }
  TurnedClock database{open()};
  const Instant begin_ = database.time;  // a full hour
  const std::int64_t hour_ =
      std::chrono::floor<std::chrono::hours>(begin_).time_since_epoch().count();
};
INSTANTIATE_TEST_SUITE_P(Databases, ArrivalTests, every_dialect(), server_name);

TEST_P(ArrivalTests, AreTheRowsOfAPushByTheHourInWhichTheyWereMetFirst) {
  EXPECT_EQ(arrivals(database, "push.orders"), Arrivals{});
  count_arrivals(database, "orders");
  row("orders", "1", State::sent, begin_, begin_ + 5min);
  row("orders", "2", State::quarantined, begin_ + 59min, begin_ + 59min);
  row("visits", "1", State::sent, begin_, begin_);
  row("orders", "3", State::pending, begin_ + 60min, begin_ + 60min);
  row("orders", "4", State::claimed, begin_ + 3h, begin_ + 3h);
  row("orders", "5", State::in_doubt, begin_ + 3h, begin_ + 3h);
  database.advance(3h + 10min);
  count_arrivals(database, "orders");
  EXPECT_EQ(arrivals(database, "push.orders"), (Arrivals{hour_ - 1, {0, 2, 1, 0, 2}}));
  EXPECT_EQ(arrivals(database, "push.visits"), Arrivals{});
}

TEST_P(ArrivalTests, CountAnHourOnceMoreSinceRowsAreCommittedLate) {
  count_arrivals(database, "orders");
  database.advance(65min);
  count_arrivals(database, "orders");
  row("orders", "1", State::sent, begin_ + 59min, begin_ + 59min);
  database.advance(10min);
  count_arrivals(database, "orders");
  EXPECT_EQ(arrivals(database, "push.orders").rows, (Rows{0, 1, 0}));
  database.advance(60min);
  count_arrivals(database, "orders");
  EXPECT_EQ(arrivals(database, "push.orders").rows, (Rows{0, 1, 0, 0}));
}

TEST_P(ArrivalTests, AreKeptForFourteenWeeksAndNotOfTheFuture) {
  add_arrivals(database, "pull.customers.all", begin_, 1);
  add_arrivals(database, "pull.ratings.all", begin_ + 24h * 365, 1);
  row("orders", "1", State::sent, begin_, begin_);
  count_arrivals(database, "orders");
  database.advance(std::chrono::hours{kArrivalHours - 1});
  count_arrivals(database, "orders");
  EXPECT_EQ(arrivals(database, "push.orders").first, hour_);
  database.advance(1h);
  count_arrivals(database, "orders");
  const auto kept = arrivals(database, "push.orders");
  EXPECT_EQ(kept.rows.size(), static_cast<std::size_t>(kArrivalHours));
  EXPECT_EQ(kept.first, hour_ + 1);
  EXPECT_EQ(arrivals(database, "pull.customers.all"), Arrivals{});
  EXPECT_EQ(arrivals(database, "pull.ratings.all"), Arrivals{});
}

TEST_P(ArrivalTests, OfAWalkAreKeptForFourteenWeeksWithoutAPushToo) {
  const std::string job = "pull.customers.all";
  const Instant last = begin_ + std::chrono::hours{kArrivalHours};
  add_arrivals(database, job, begin_, 1);
  add_arrivals(database, job, begin_ + 1h, 2);
  add_arrivals(database, job, last, 3);
  const auto kept = arrivals(database, job);
  EXPECT_EQ(kept.first, hour_ + 1);
  EXPECT_EQ(kept.rows.size(), static_cast<std::size_t>(kArrivalHours));
}

TEST_P(ArrivalTests, AreTheRecordsOfAWalkUpToItsEnd) {
  const std::string job = "pull.customers.LastActivityDate";
  add_arrivals(database, job, begin_, 0);
  EXPECT_EQ(arrivals(database, job, begin_ + 5h), Arrivals{}) << "nothing is known";
  add_arrivals(database, job, begin_ + 1min, 3);
  add_arrivals(database, job, begin_ + 2min, 4);
  add_arrivals(database, job, begin_ + 2h, 5);
  EXPECT_EQ(arrivals(database, job), (Arrivals{hour_, {7, 0, 5}}));
  EXPECT_EQ(arrivals(database, job, begin_ + 4h), (Arrivals{hour_, {7, 0, 5, 0, 0}}));
  EXPECT_EQ(arrivals(database, job, begin_), (Arrivals{hour_, {7, 0, 5}}));
}

}  // namespace
}  // namespace surveybridge::crm
