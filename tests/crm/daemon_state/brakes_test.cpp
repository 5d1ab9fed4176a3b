// The stored state of the brake, on every database.
#include "connectors/crm/daemon_state/brakes.hpp"

#include "tests/crm/ledgers.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;

class BrakesTests : public Ledgers {
 protected:
  Brakes brakes{database};
};

TEST_P(BrakesTests, HoldUntilReleased) {
  EXPECT_FALSE(brakes.load("orders"));
  brakes.hold("orders", "a spike");
  EXPECT_EQ(brakes.load("orders")->reason, "a spike");
  EXPECT_TRUE(brakes.load("orders")->since);
  brakes.release("orders", "f", 7);
  EXPECT_EQ(brakes.load("orders")->reason, "");
  EXPECT_EQ(brakes.load("orders")->allowance, 7);
  EXPECT_FALSE(brakes.load("visits"));
}

TEST_P(BrakesTests, EndWithTheirReason) {
  brakes.hold("orders", "the first run");
  brakes.end("orders", "another reason");
  EXPECT_EQ(brakes.load("orders")->reason, "the first run");
  brakes.end("orders", "the first run");
  EXPECT_FALSE(brakes.load("orders")) << "the first run is asked about when it comes";
  brakes.pass("orders", "f", 3, "here");
  brakes.hold("orders", "a spike");
  brakes.release("orders", "g", 0, "there", "ann");
  EXPECT_EQ(brakes.load("orders")->reason, "");
  EXPECT_FALSE(brakes.load("orders")->since);
  EXPECT_EQ(brakes.load("orders")->fingerprint, "f") << "nothing was let through";
  EXPECT_EQ(brakes.load("orders")->service, "here");
  EXPECT_EQ(brakes.releases("orders", 1).front().decided_by, "ann");
}

TEST_P(BrakesTests, RememberWhoLetRowsGo) {
  EXPECT_TRUE(brakes.releases("orders", 3).empty());
  for (int rows = 1; rows <= 4; ++rows)
    brakes.release("orders", "f", rows, "", rows == 3 ? "" : "ann on pts/" + std::to_string(rows));
  brakes.release("visits", "f", 9, "", "bob");
  const auto releases = brakes.releases("orders", 2);
  ASSERT_EQ(releases.size(), 2u);
  EXPECT_EQ(releases[0].decided_by, "ann on pts/4");
  EXPECT_EQ(releases[0].rows, 4);
  EXPECT_GT(releases[0].at, Instant{});
  EXPECT_EQ(releases[1].decided_by, "");
}

TEST_P(BrakesTests, UseUpWhatWasLetThrough) {
  EXPECT_EQ(brakes.take("orders", 5), 0) << "nobody has let anything through";
  brakes.release("orders", "f", 7);
  EXPECT_EQ(brakes.take("orders", 5), 5);
  EXPECT_EQ(brakes.load("orders")->allowance, 2);
  EXPECT_EQ(brakes.take("orders", 5), 2);
  EXPECT_EQ(brakes.take("orders", 5), 0);
  brakes.give_back("orders", 3);
  EXPECT_EQ(brakes.load("orders")->allowance, 3);
}

TEST_P(BrakesTests, EndWhatIsLeftOfAReleaseUnlessAnotherCameMeanwhile) {
  brakes.release("orders", "f", 7);
  EXPECT_EQ(brakes.take("orders", 5), 5);
  brakes.lapse("orders", 7);
  EXPECT_EQ(brakes.load("orders")->allowance, 2) << "another number is left";
  brakes.lapse("visits", 2);
  EXPECT_EQ(brakes.load("orders")->allowance, 2);
  brakes.lapse("orders", 2);
  EXPECT_EQ(brakes.load("orders")->allowance, 0);
}

TEST_P(BrakesTests, CountWhatPassesAndLeaveTheRestAlone) {
  brakes.pass("orders", "f", 5);
  EXPECT_EQ(brakes.load("orders")->passed, 5);
  brakes.release("orders", "f", 7);
  brakes.hold("orders", "a spike");
  brakes.pass("orders", "f", 1);
  EXPECT_EQ(brakes.load("orders")->allowance, 7);
  brakes.pass("orders", "g", 5);
  EXPECT_EQ(brakes.load("orders")->fingerprint, "g");
  EXPECT_EQ(brakes.load("orders")->passed, 11);
  EXPECT_EQ(brakes.load("orders")->allowance, 0) << "it was let through under another query";
  EXPECT_EQ(brakes.load("orders")->reason, "a spike") << "another has seen it meanwhile";
}

TEST_P(BrakesTests, CountWhatWentOutOrMayHave) {
  const Instant begun = database.time;
  EXPECT_TRUE(brakes.flow("orders", begun).ledger_empty);
  claim("b1", {"1", "2"});
  settle("b1", "1", State::sent);
  database.advance(2h);
  claim("b2", {"3"});
  claim("b3", {"4"});
  ledger.settle("orders", "b3", {Outcome::refused, 400, "no"}, {{"4", State::pending, ""}});
  const Flow flow = brakes.flow("orders", database.time);
  EXPECT_FALSE(flow.ledger_empty);
  EXPECT_EQ(flow.last_hour, 1) << "what was refused did not go out";
  EXPECT_EQ(flow.usual, 3);
  ASSERT_TRUE(flow.first_batch);
  EXPECT_LT(*flow.first_batch, begun + 1h);
  EXPECT_EQ(brakes.flow("visits", database.time).usual, 0);
}

TEST_P(BrakesTests, DoNotCountTheFirstRunAsUsual) {
  brakes.release("visits", "f", 3);
  brakes.release("orders", "f", 9);
  brakes.release("orders", "f", 2);  // instead of the nine
  brakes.release("orders", "f", 2);  // said twice
  database.advance(1s);
  claim("b1", {"1", "2", "3"});
  EXPECT_EQ(brakes.flow("orders", database.time).usual, 1);
  database.advance(24h);
  brakes.release("orders", "f", 1);
  database.advance(1s);
  claim("b2", {"4"});
  EXPECT_EQ(brakes.flow("orders", database.time).usual, 2)
      << "what is let through later comes again: an import each night, say";
  database.advance(28 * 24h - 1h);
  EXPECT_EQ(brakes.flow("orders", database.time).usual, 1) << "the first run was long ago";
}

TEST_P(BrakesTests, DoNotCountMoreOfAFirstRunThanWentOut) {
  brakes.release("orders", "f", 9);
  database.advance(1s);
  claim("b1", {"1"});
  EXPECT_EQ(brakes.flow("orders", database.time).usual, 0);
}

INSTANTIATE_TEST_SUITE_P(Databases, BrakesTests, every_database(), server_name);

}  // namespace
}  // namespace surveybridge::crm
