// A person takes back that rows were marked sent: nothing else leaves `sent`.
#include "connectors/crm/ledger/sent_keys.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "tests/crm/ledgers.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class MarkedSent : public Ledgers {
 protected:
  MarkedSent() {
    claim("b0", {"3"});
    settle("b0", "3", State::sent);
    claim("b1", {"1", "2", "4", "5"});
    database.advance(1s);
    for (const char* key : {"1", "4", "5"})
      settle("b1", key, State::in_doubt);
    settle("b1", "2", State::held);
    doubted_at = ledger.in_doubt("orders", 1).at(0).since;
    database.advance(1h);
    ledger.resolve("orders", {{"5", State::sent, "found by read-back: customer 12", 12}});
    ledger.decide("orders", State::sent, {"1", "2", "4"}, std::string(kMarkedSent) + "jo");
    ledger.settle_listed("orders", {{"4", 9}});
    database.advance(1h);
  }
  std::int64_t undo(const std::string& key) {
    return ledger.undo_sent("orders", {key}, "jo was wrong");
  }
  Instant doubted_at;
};

TEST_P(MarkedSent, AreInDoubtAgainSinceTheyWere) {
  EXPECT_EQ(ledger.undo_sent("orders", {"1", "2", "3", "4", "5", "6"}, "jo was wrong"), 2);
  EXPECT_EQ(state_of("2"), State::in_doubt);
  EXPECT_EQ(story("1"), "claimed in_doubt sent in_doubt");
  EXPECT_EQ(ledger.history("orders", "1").back().detail, "jo was wrong");
  const auto doubts = ledger.in_doubt("orders", 10);
  ASSERT_EQ(doubts.size(), 2u);
  EXPECT_EQ(doubts.at(0).key, "1");
  EXPECT_EQ(doubts.at(0).since, doubted_at);
  EXPECT_EQ(doubts.at(0).batch, "b1");
  EXPECT_FALSE(doubts.at(0).dated);
  EXPECT_EQ(doubts.at(1).since, database.now()) << "it never was in doubt";
}

TEST_P(MarkedSent, StaySentWhereTheServiceShowsThem) {
  EXPECT_EQ(undo("3"), 0) << "the service accepted it";
  EXPECT_EQ(undo("4"), 0) << "the service lists it";
  EXPECT_EQ(undo("5"), 0) << "the read-back found it";
  for (const char* key : {"3", "4", "5"})
    EXPECT_EQ(state_of(key), State::sent) << key;
}

// Its answer came late, after the person had decided.
TEST_P(MarkedSent, StaySentWhereTheServiceHasAcceptedTheirBatch) {
  ledger.settle("orders", "b1", {Outcome::accepted, 200, ""}, {});
  EXPECT_EQ(undo("1"), 0);
  EXPECT_TRUE(ledger.marked_sent("orders", "", 10).empty());
}

TEST_P(MarkedSent, AreNotTakenForKnownToBeAtTheService) {
  claim("b2", {"6"});
  settle("b2", "6", State::sent);
  database.advance(1h);
  const auto known = last_sent(database, "orders", {}, database.now());
  ASSERT_FALSE(known.empty());
  EXPECT_EQ(known.front().key, "6");
  const char* all = R"(DELETE FROM "survey_push" WHERE "key" IN ('3', '5', '6'))";
  run_statement(database, all);
  EXPECT_TRUE(last_sent(database, "orders", {}, database.now()).empty());
}

TEST_P(MarkedSent, AreListedInTheOrderOfKeys) {
  const auto keys = [&](const std::string& behind, int limit) {
    std::vector<std::string> found;
    for (const auto& entry : ledger.marked_sent("orders", behind, limit))
      found.push_back(entry.key);
    return found;
  };
  EXPECT_THAT(keys("", 10), ElementsAre("1", "2"));
  EXPECT_THAT(keys("", 1), ElementsAre("1"));
  EXPECT_THAT(keys("1", 10), ElementsAre("2"));
}

INSTANTIATE_TEST_SUITE_P(Databases, MarkedSent, every_dialect(), server_name);

}  // namespace
}  // namespace surveybridge::crm
