// Reading the ledger: the history of a key, lists, counts, batches.
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
    return std::get<std::int64_t>(
        database.query({"SELECT COUNT(*) FROM survey_push_event", {}}).rows.at(0).at(0));
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
    return std::get<std::int64_t>(
        database.query({"SELECT COUNT(*) FROM survey_push WHERE owner IS NOT NULL", {}})
            .rows.at(0)
            .at(0));
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

}  // namespace
}  // namespace surveybridge::crm
