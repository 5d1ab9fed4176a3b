// Reading the ledger: the history of a key, lists, counts, batches. A person takes back that rows
// were marked sent: nothing else leaves `sent`.
#include "connectors/crm/erasure/forget.hpp"
#include "connectors/crm/ledger/sent_keys.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "tests/crm/ledgers.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

TEST_P(Ledgers, TellAKeysStoryWithItsEvidence) {
  claim("b1", {"1"});
  database.advance(1s);
  settle("b1", "1", State::in_doubt, "time-out after 60 s");
  database.advance(1s);
  ledger.resolve("orders", {{"1", State::sent, "found as customer 9", 9}});
  const auto events = ledger.history("orders", "1");
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].state, State::claimed);
  EXPECT_EQ(events[0].batch, "b1");
  EXPECT_EQ(events[1].detail, "time-out after 60 s");
  EXPECT_EQ(events[2].state, State::sent);
  EXPECT_EQ(events[2].batch, "b1");
  EXPECT_EQ(events[2].at, events[0].at + 2s);
  EXPECT_THAT(ledger.history("orders", "2"), IsEmpty());
}

TEST_P(Ledgers, StoreNoEventOfWhatABatchTells) {
  const auto events = [this] {
    return number_in(database, "SELECT COUNT(*) FROM survey_push_event");
  };
  claim("b1", {"1", "2"});
  const Instant claimed = database.time;
  database.advance(2s);
  settle("b1", "1", State::sent);
  EXPECT_EQ(events(), 0);
  const auto steps = ledger.history("orders", "1");
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].state, State::claimed);
  EXPECT_EQ(steps[0].at, claimed);
  EXPECT_EQ(steps[1].state, State::sent);
  EXPECT_EQ(steps[1].at, claimed + 2s);
  EXPECT_EQ(steps[1].batch, "b1");
  EXPECT_EQ(story("2"), "claimed") << "the batch's answer is not this row's";
}

TEST_P(Ledgers, TellEachClaimOfATransactionBeforeWhatBecameOfIt) {
  claim("b1", {"1"});
  ledger.settle("orders", "b1", {Outcome::not_sent, 429, ""}, {{"1", State::pending, "429"}});
  claim("b2", {"1"});
  ledger.settle("orders", "b2", {Outcome::refused, 400, ""}, {{"1", State::quarantined, "no"}});
  ledger.retry("orders", {"1"}, "mended");
  claim("b3", {"1"});
  settle("b3", "1", State::sent);
  EXPECT_EQ(story("1"), "claimed pending claimed quarantined pending claimed sent");
}

TEST_P(Ledgers, TellAnAnswerOnlyWhereItMadeTheRowSent) {
  claim("b1", {"1", "2"});
  database.advance(1s);
  settle("b1", "1", State::in_doubt, "slow");
  settle("b1", "2", State::in_doubt, "slow");
  ledger.resolve("orders", {{"1", State::sent, "found as customer 9", 9}});
  database.advance(1s);
  ledger.settle("orders", "b1", {Outcome::accepted, 200, ""},
                {{"1", State::sent, ""}, {"2", State::sent, ""}});
  EXPECT_EQ(story("1"), "claimed in_doubt sent") << "the read-back was quicker";
  EXPECT_EQ(story("2"), "claimed in_doubt sent");
  database.advance(1s);
  ledger.settle_listed("orders", {{"2", 7}, {"2", 8}});
  EXPECT_EQ(story("2"), "claimed in_doubt sent sent") << "and then listed twice";
}

TEST_P(Ledgers, TellNoAnswerThatCameAfterARowWasGivenUp) {
  claim("b1", {"1"});
  database.advance(1s);
  ledger.doubt_the_dead("orders");
  database.advance(1s);
  ledger.resolve("orders", {{"1", State::held, "not found"}});
  database.advance(1s);
  settle("b1", "1", State::sent);
  database.advance(1s);
  ledger.decide("orders", State::sent, {"1"}, "by ann");
  EXPECT_EQ(story("1"), "claimed in_doubt held sent");
}

TEST_P(Ledgers, TellTheClaimOfARowWhosePersonIsForgottenMeanwhile) {
  ledger.claim({"b1", "orders", "one"}, {{"1", "ann@example.test", kDate, "hash-of-ann"}});
  database.advance(1s);
  forget(database, database, "hash-of-ann", "ann@example.test", {}, {}, "bob");
  database.advance(1s);
  settle("b1", "1", State::sent);
  EXPECT_EQ(story("1"), "claimed claimed sent") << "the second one is the note";
}

TEST_P(Ledgers, NameTheOwnerOfARowOnlyWhileItIsClaimed) {
  const auto owned = [this] {
    return number_in(database, "SELECT COUNT(*) FROM survey_push WHERE owner IS NOT NULL");
  };
  claim("b1", {"1", "2"});
  EXPECT_EQ(owned(), 2);
  settle("b1", "1", State::sent);
  EXPECT_EQ(owned(), 1);
  ledger.doubt_the_dead("orders");
  EXPECT_EQ(state_of("2"), State::in_doubt);
  EXPECT_EQ(owned(), 0);
}

// As an earlier version has stored them.
TEST_P(Ledgers, TellNoStepTwice) {
  claim("b1", {"1"});
  const auto store = [this] {
    run_statement(database,
                  R"(INSERT INTO "survey_push_event" ("push", "key", "at", "state", "batch"))"
                  R"( SELECT "push", "key", "changed_at", "state", "batch" FROM "survey_push")");
  };
  store();
  database.advance(1s);
  settle("b1", "1", State::sent);
  store();
  EXPECT_EQ(story("1"), "claimed sent");
}

TEST_P(Ledgers, ListAndCountByState) {
  claim("b1", {"1", "2", "3"});
  database.advance(1s);
  settle("b1", "1", State::sent);
  settle("b1", "2", State::sent);
  claim("b2", {"9"}, "visits");
  const auto sent = ledger.list("orders", State::sent, 10);
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_EQ(sent[0].key, "1");
  EXPECT_EQ(ledger.list("orders", State::sent, 1).size(), 1u);
  std::string counts;
  for (const auto& count : ledger.counts()) {
    counts += count.push + ":" + to_string(count.state) + ":" + std::to_string(count.rows) + " ";
  }
  EXPECT_EQ(counts, "orders:claimed:1 orders:sent:2 visits:claimed:1 ");
}

TEST_P(Ledgers, CountThePendingRowsThatAreDueAtATime) {
  claim("b1", {"1"});
  ledger.delay("orders", {{"2", "later", database.time + 1h}, {"3", "later", database.time + 3h}});
  ledger.delay("visits", {{"4", "later", database.time + 3h}});
  claim("b2", {"5"});
  settle("b2", "5", State::pending);
  EXPECT_EQ(ledger.count_due("orders", database.time), 1);
  EXPECT_EQ(ledger.count_due("orders", database.time + 1h), 2);
  EXPECT_EQ(ledger.count_due("orders", database.time + 3h), 3);
}

TEST_P(Ledgers, NameTheDataColumnsThatCarriedKeys) {
  const auto claim_by = [&](const char* batch, const char* push, const char* correlate) {
    ledger.claim({.id = batch, .push = push, .owner = "one", .correlate = correlate},
                 {{batch, "a@example.test", kDate}});
  };
  claim_by("b1", "orders", "OrderNumber");
  claim_by("b2", "orders", "OrderNumber");
  claim_by("b3", "orders", "Reference");
  claim_by("b4", "visits", "");
  EXPECT_THAT(key_carriers(database), ElementsAre(testing::Pair("orders", "OrderNumber"),
                                                  testing::Pair("orders", "Reference")));
}

TEST_P(Ledgers, NameTheKeysSentLastBeforeATime) {
  claim("b1", {"1", "2", "3"});
  settle("b1", "1", State::sent);
  database.time += 1min;
  settle("b1", "2", State::sent);
  const Instant before = database.time + 1s;
  database.time += 1min;
  settle("b1", "3", State::sent);
  const auto last = [&](const std::string& push, Instant until) {
    const auto keys = last_sent(database, push, {}, until);
    return keys.empty() ? "" : keys.front().key;
  };
  EXPECT_EQ(last("orders", before), "2");
  EXPECT_EQ(last("orders", kDate), "");
  EXPECT_EQ(last("another", before), "");
}

TEST_P(Ledgers, ListTheNewestBatchesFirst) {
  claim("b1", {"1"});
  database.advance(1s);
  claim("b2", {"2"});
  const auto batches = ledger.batches("orders", 10);
  ASSERT_EQ(batches.size(), 2u);
  EXPECT_EQ(batches[0].id, "b2");
  EXPECT_EQ(ledger.batches("orders", 1).size(), 1u);
  EXPECT_FALSE(ledger.batch("b3"));
}

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
