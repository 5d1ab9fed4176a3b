// What the service lists, compared with the states in the ledger.
#include "connectors/crm/ledger/sent_keys.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "tests/crm/ledgers.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class Sightings : public Ledgers {
 protected:
  void refuse(const std::string& batch, const std::vector<std::string>& keys, State state) {
    std::vector<Ledger::Verdict> verdicts;
    for (const auto& key : keys)
      verdicts.push_back({key, state, "not sent: refused with its batch"});
    ledger.settle("orders", batch, {Outcome::refused, 400, "no"}, verdicts);
  }
  Entry row(const std::string& key) { return ledger.find("orders", key).value(); }
  struct Pulled {
    std::string push = "orders";
    bool test = false, opted_out = false, second_feedback = false;
  };
  void pulled(std::int64_t id, const std::string& key, const Pulled& customer) {
    run_statement(
        database,
        R"(INSERT INTO "survey_invitation" ("customer_id", "push", "key", "stage", "opened",)"
        R"( "begun", "finished", "closed", "bounced", "opted_out", "test", "second_feedback",)"
        R"( "contact_requested") VALUES ({integer}, {key}, {key}, 'invited', 0, 0, 0, 0, 0,)"
        R"( {integer}, {integer}, {integer}, 0))",
        {id, customer.push, key, std::int64_t{customer.opted_out}, std::int64_t{customer.test},
         std::int64_t{customer.second_feedback}});
  }
  void lose(const std::string& key) {
    run_statement(database, R"(DELETE FROM "survey_push" WHERE "key" = {key})", {key});
  }
};

TEST_P(Sightings, TeachASentRowItsCustomersIdAndNothingElse) {
  claim("b1", {"1", "2"});
  settle("b1", "1", State::sent);
  settle("b1", "2", State::sent);
  const auto met = ledger.settle_listed("orders", {{"1", 7}, {"2", 8}, {"a stranger's", 9}});
  EXPECT_EQ(met.arrived + met.twice, 0);
  EXPECT_EQ(row("1").customer_id, 7);
  EXPECT_EQ(row("2").customer_id, 8);
  EXPECT_EQ(story("1"), "claimed sent");
  EXPECT_FALSE(ledger.find("orders", "a stranger's"));
}

TEST_P(Sightings, KeepAKeyFromBeingClaimedThatTheLedgerHasNeverTried) {
  ledger.settle_listed("orders", {{"1", 7, "ann"}, {"1", 8, "ann"}, {"2", 9}});
  const std::vector<Claim> rows = {{"1", "a@example.test", kDate, "ann"},
                                   {"2", "b@example.test", kDate, "bob"},
                                   {"3", "c@example.test", kDate, "cid"}};
  EXPECT_THAT(ledger.claim({"b1", "visits", "one"}, rows), testing::SizeIs(3)) << "another push";
  EXPECT_THAT(ledger.claim({"b2", "orders", "one"}, rows), testing::ElementsAre("3"));
  EXPECT_EQ(state_of("1"), State::in_doubt);
  EXPECT_EQ(story("1"), "in_doubt");
  EXPECT_EQ(ledger.batch("b2")->rows, 1);
  const auto doubts = ledger.in_doubt("orders", 10);
  ASSERT_EQ(doubts.size(), 2u);
  EXPECT_EQ(doubts.front().email, "a@example.test");
  EXPECT_EQ(doubts.front().batch, "");
  EXPECT_GT(doubts.front().since, kDate);
  // A person sends it all the same.
  ledger.resolve("orders", {{"2", State::held, "another address"}});
  ledger.settle_listed("orders", {{"2", 9, "another"}});
  ledger.decide("orders", State::pending, {"2"}, "goes out again");
  ledger.settle_listed("orders", {{"2", 9, "another"}});
  EXPECT_THAT(ledger.claim({"b3", "orders", "one"}, rows), testing::ElementsAre("2"));
}

TEST_P(Sightings, KeepAKeyFromBeingClaimedThatIsSetAside) {
  ledger.set_aside("orders", State::quarantined, {{"1", "no address"}});
  ledger.settle_listed("orders", {{"1", 7}});
  EXPECT_EQ(state_of("1"), State::quarantined);
  ledger.retry("orders", {"1"}, "retry");
  EXPECT_EQ(ledger.doubt_listed({"", "orders", "one"}, {{"1", "a@example.test", kDate}}), 1);
  EXPECT_EQ(state_of("1"), State::in_doubt);
}

TEST_P(Sightings, KeepAKeyFromBeingClaimedThatIsSuppressed) {
  ledger.set_aside("orders", State::suppressed, {{"1", "on the list"}});
  ledger.settle_listed("orders", {{"1", 7}});
  EXPECT_EQ(state_of("1"), State::suppressed);
  ASSERT_EQ(ledger.judge_again("orders", {"1"}, "again"), 1);
  EXPECT_THAT(ledger.claim({"b1", "orders", "one"}, {{"1", "a@example.test", kDate}}),
              testing::IsEmpty());
  EXPECT_EQ(state_of("1"), State::in_doubt);
}

// It was refused for the rate, the address was corrected, and what came then is lost.
TEST_P(Sightings, KeepAKeyFromBeingClaimedThatWasTriedForAnotherAddress) {
  ledger.claim({"b1", "orders", "one"}, {{"1", "old@example.test", kDate, "old"}});
  ledger.settle("orders", "b1", {Outcome::too_many, 429, ""}, {{"1", State::pending, "not sent"}});
  EXPECT_EQ(ledger.settle_listed("orders", {{"1", 7, "new"}}).arrived, 0);
  EXPECT_THAT(ledger.claim({"b2", "orders", "one"}, {{"1", "new@example.test", kDate, "new"}}),
              testing::IsEmpty());
  EXPECT_EQ(state_of("1"), State::in_doubt);
}

TEST_P(Sightings, RememberWhoseACustomerWasAtFirst) {
  ledger.settle_listed("orders", {{"1", 7, "ann"}, {"2", 8}});
  ledger.settle_listed("orders", {{"1", 7, "masked"}, {"1", 9, "bob"}, {"2", 8, "cleo"}});
  const auto rows =
      database.query({"SELECT customer_id, person FROM survey_listed ORDER BY customer_id", {}})
          .rows;
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(text_in(rows.at(0).at(1)), "ann");
  EXPECT_EQ(text_in(rows.at(1).at(1)), "cleo");
  EXPECT_EQ(text_in(rows.at(2).at(1)), "bob");
}

// The service masks the address of whoever has opted out, and the row comes back later.
TEST_P(Sightings, GiveTheOptOutOfACustomerToThePersonOfItsRow) {
  ledger.settle_listed("orders", {{"1", 7, "masked", std::nullopt, true}, {"2", 8}});
  ledger.settle_listed("orders", {{"1", 7, "masked"}});
  const std::vector<Claim> rows = {{"1", "a@example.test", kDate, "ann"},
                                   {"2", "b@example.test", kDate, "bob"},
                                   {"3", "a@example.test", kDate, "ann"},
                                   {"4", "c@example.test", kDate, "cid"}};
  EXPECT_THAT(ledger.claim({"b1", "orders", "one"}, rows), testing::ElementsAre("4"));
  EXPECT_EQ(state_of("1"), State::in_doubt);
  EXPECT_FALSE(ledger.find("orders", "3")) << "it was screened before that was known";
  auto histories = People(database).contact_histories({"ann", "bob"});
  EXPECT_EQ(histories["ann"].facts[FactKind::opted_out].count, 1);
  EXPECT_EQ(histories["bob"].facts[FactKind::opted_out].count, 0);
}

TEST_P(Sightings, GiveADoubtThePlaceWhereItWasListed) {
  ledger.settle_listed("orders", {{"1", 7}, {"x", 8, "bob", kDate}}, {"http://one", "Number"});
  const std::vector<Claim> rows = {{"1", "a@example.test", kDate, "ann"},
                                   {"2", "b@example.test", kDate, "bob"}};
  ledger.claim({"b1", "orders", "one", false, "http://two", "Key"}, rows);
  const auto doubts = ledger.in_doubt("orders", 10);
  ASSERT_EQ(doubts.size(), 2u);
  for (const auto& doubt : doubts) {
    EXPECT_EQ(doubt.service, "http://one") << doubt.key;
    EXPECT_EQ(doubt.correlate, "Number") << doubt.key;
  }
  EXPECT_EQ(last_batch(database, {"orders"}), "") << "nothing went out";
  EXPECT_FALSE(ledger.last_claim("orders"));
  ledger.resolve("orders", {{"1", State::held, "not found"}});
  EXPECT_EQ(ledger.held("orders", {"1"}).at(0).service, "http://one");
  // A person sends it all the same.
  ledger.decide("orders", State::pending, {"1"}, "goes out again");
  ledger.claim({"b2", "orders", "one", false, "http://two", "Key"}, rows);
  settle("b2", "1", State::in_doubt);
  ledger.resolve("orders", {{"1", State::held, "not found"}});
  EXPECT_EQ(ledger.held("orders", {"1"}).at(0).service, "http://two");
  EXPECT_EQ(ledger.held("orders", {"1"}).at(0).correlate, "Key");
}

TEST_P(Sightings, KeepALostKeyFromBeingClaimedThatAPulledCustomerHas) {
  claim("b1", {"1", "2", "3", "4", "5"});
  for (const char* key : {"1", "2", "3", "4", "5"})
    settle("b1", key, State::sent);
  pulled(7, "1", {});
  pulled(8, "1", {.second_feedback = true});
  pulled(9, "2", {.test = true});
  pulled(10, "3", {.push = "visits"});
  pulled(11, "4", {.opted_out = true});
  for (const char* key : {"1", "2", "3", "4"})
    lose(key);
  const std::vector<Claim> rows = {
      {"1", "a@example.test", kDate, "ann"}, {"2", "b@example.test", kDate, "bob"},
      {"3", "c@example.test", kDate, "cid"}, {"4", "d@example.test", kDate, "dan"},
      {"5", "e@example.test", kDate, "eve"}, {"6", "d@example.test", kDate, "dan"}};
  EXPECT_THAT(ledger.listed("orders", {"1", "2", "3", "4", "5"}), testing::ElementsAre("1", "4"));
  EXPECT_THAT(ledger.claim({"b2", "orders", "one", false, "http://one", "Number"}, rows),
              testing::ElementsAre("2", "3"));
  EXPECT_EQ(state_of("1"), State::in_doubt);
  EXPECT_EQ(state_of("4"), State::in_doubt);
  EXPECT_EQ(state_of("5"), State::sent);
  EXPECT_FALSE(ledger.find("orders", "6")) << "that person has opted out";
  const auto doubt = ledger.in_doubt("orders", 1).at(0);
  EXPECT_EQ(doubt.service, "http://one");
  EXPECT_EQ(doubt.correlate, "Number");
  lose("2");
  EXPECT_THAT(ledger.claim({"b3", "orders", "one", true}, {rows.at(1)}), testing::IsEmpty())
      << "a test";
  EXPECT_EQ(state_of("2"), State::in_doubt);
}

// A person has sent it again, or another batch of it was refused: that the ledger knows.
TEST_P(Sightings, LetARowGoAgainThatWasTriedThoughItsCustomerIsPulled) {
  claim("b1", {"1"});
  pulled(7, "1", {});
  settle("b1", "1", State::held);
  ledger.decide("orders", State::pending, {"1"}, "goes out again");
  EXPECT_THAT(claim("b2", {"1"}), testing::ElementsAre("1"));
}

TEST_P(Sightings, KeepAKeyFromBeingClaimedThatTheLedgerHasLost) {
  claim("b1", {"1", "2"});
  settle("b1", "1", State::sent);
  settle("b1", "2", State::sent);
  EXPECT_THAT(ledger.missing("orders", {"1", "2"}), testing::IsEmpty());
  lose("1");
  NewBatch batch{"", "orders", "one", false, "http://one", "Number"};
  batch.lost = ledger.missing("orders", {"1", "2"});
  EXPECT_THAT(batch.lost, testing::ElementsAre("1"));
  EXPECT_EQ(
      ledger.doubt_listed(batch, {{"1", "a@example.test", kDate}, {"2", "b@example.test", kDate}}),
      1);
  EXPECT_THAT(row("1").reason, HasSubstr("the ledger has lost its row"));
  EXPECT_EQ(state_of("2"), State::sent);
  EXPECT_EQ(ledger.in_doubt("orders", 1).at(0).service, "http://one");
  EXPECT_THAT(claim("b2", {"1"}), testing::IsEmpty());
}

TEST_P(Sightings, MayBeOfRowsAsOldAsTheOldestThatMayStillGoOut) {
  EXPECT_FALSE(ledger.oldest_unsent("orders"));
  ledger.set_aside("orders", State::suppressed, {{"1", "opted out"}});
  const auto oldest = ledger.oldest_unsent("orders");
  ASSERT_TRUE(oldest) << "it may be judged again";
  EXPECT_EQ(*oldest, ledger.find("orders", "1")->seen_at);
  ledger.set_aside("orders", State::quarantined, {{"2", "no address"}});
  EXPECT_EQ(ledger.oldest_unsent("orders"), oldest);
  ledger.delay("orders", {{"3", "later", kDate}});
  EXPECT_EQ(ledger.oldest_unsent("orders"), oldest);
  EXPECT_FALSE(ledger.oldest_unsent("others"));
}

TEST_P(Sightings, MakeARowSentThatWasRefusedAndYetKept) {
  claim("b1", {"1", "2", "3"});
  refuse("b1", {"1", "2"}, State::pending);
  refuse("b1", {"3"}, State::quarantined);
  EXPECT_FALSE(ledger.keeps_what_it_refuses("orders"));
  EXPECT_EQ(ledger.settle_listed("orders", {{"1", 7}, {"3", 8}}).arrived, 2);
  EXPECT_EQ(state_of("1"), State::sent);
  EXPECT_EQ(state_of("2"), State::pending);
  EXPECT_EQ(row("3").customer_id, 8);
  EXPECT_TRUE(ledger.keeps_what_it_refuses("orders"));
  EXPECT_FALSE(ledger.keeps_what_it_refuses("visits"));
}

// A search that finds nothing later would hold the row, and the list does not name it again.
TEST_P(Sightings, EndADoubt) {
  claim("b1", {"1", "2"});
  settle("b1", "1", State::in_doubt);
  settle("b1", "2", State::in_doubt);
  const auto met = ledger.settle_listed("orders", {{"1", 7}, {"2", 8}, {"2", 9}});
  EXPECT_EQ(met.arrived, 0) << "nobody thought them unsent";
  EXPECT_EQ(met.doubts, 1);
  EXPECT_EQ(met.twice, 1);
  EXPECT_EQ(met.first_twice, "2");
  EXPECT_EQ(row("1").customer_id, 7);
  EXPECT_EQ(row("2").reason, "FOUND MORE THAN ONCE in the service's list: customers 8 9");
  EXPECT_EQ(ledger.resolve("orders", {{"1", State::held, "not found"}}), 0);
  EXPECT_EQ(state_of("1"), State::sent);
}

TEST_P(Sightings, LeaveACustomerOfAnotherPersonAlone) {
  ledger.claim({"b1", "orders", "one"}, {{"1", "a@example.test", kDate, "ann"}});
  refuse("b1", {"1"}, State::pending);
  EXPECT_EQ(ledger.settle_listed("orders", {{"1", 7, "bob"}}).arrived, 0);
  EXPECT_EQ(state_of("1"), State::pending);
  EXPECT_EQ(ledger.settle_listed("orders", {{"1", 8, "ann"}}).arrived, 1);
  EXPECT_EQ(ledger.settle_listed("orders", {{"1", 7, "bob"}}).twice, 0);
  EXPECT_EQ(row("1").customer_id, 8);
}

TEST_P(Sightings, UseUpNothingOfAReleaseWhereEveryRowIsListed) {
  ledger.settle_listed("orders", {{"1", 7}});
  std::int64_t left = 5;
  const Quota quota{[&](std::int64_t rows) { return left -= rows, rows; },
                    [&](std::int64_t rows) { left += rows; }};
  EXPECT_THAT(ledger.claim({"b1", "orders", "one"}, {{"1", "a@example.test", kDate, "ann"}},
                           std::nullopt, quota),
              testing::IsEmpty());
  EXPECT_EQ(state_of("1"), State::in_doubt);
  EXPECT_EQ(left, 5);
}

TEST_P(Sightings, LeaveOutAPersonOfWhomAFactCameToLightSinceTheBatchWasChosen) {
  People(database).note(
      {{"ann", FactKind::opted_out, "7", kDate}, {"bob", FactKind::bounced_soft, "8", kDate}});
  const std::vector<Claim> rows = {{"1", "a@example.test", kDate, "ann"},
                                   {"2", "b@example.test", kDate, "bob"}};
  NewBatch batch{"b1", "orders", "one"};
  batch.barring = {FactKind::opted_out};
  EXPECT_THAT(ledger.claim(batch, rows), testing::ElementsAre("2"));
  EXPECT_THAT(ledger.claim({"b2", "orders", "one"}, rows), testing::ElementsAre("1"))
      << "nobody asks for opt-outs";
}

// A copy of the CRM that is used for tests adds customers with the same keys.
TEST_P(Sightings, LeaveAnUnsentRowWhereTheCustomerIsOfATest) {
  ledger.claim({"b1", "orders", "one"}, {{"1", "a@example.test", kDate, "ann"}});
  refuse("b1", {"1"}, State::pending);
  const auto listed = [](bool test) {
    return std::vector<Ledger::Sighting>{{"1", 7, "ann", std::nullopt, false, test}};
  };
  EXPECT_EQ(ledger.settle_listed("orders", listed(true)).arrived, 0);
  EXPECT_EQ(state_of("1"), State::pending);
  EXPECT_EQ(ledger.settle_listed("orders", listed(false)).arrived, 1);
  ledger.claim({"b2", "trials", "one", true}, {{"1", "a@example.test", kDate, "ann"}});
  ledger.settle("trials", "b2", {Outcome::refused, 422, ""}, {{"1", State::pending, ""}});
  EXPECT_EQ(ledger.settle_listed("trials", listed(false)).arrived, 1)
      << "a service may not mark what it tests";
}

TEST_P(Sightings, LeaveADoubtWhereTheCustomerIsOfATest) {
  const auto listed = [](bool test) {
    return std::vector<Ledger::Sighting>{{"1", 7, "ann", std::nullopt, false, test},
                                         {"2", 8, "bob", std::nullopt, false, test}};
  };
  const std::vector<Claim> both = {{"1", "a@example.test", kDate, "ann"},
                                   {"2", "b@example.test", kDate, "bob"}};
  ledger.claim({"b1", "orders", "one"}, both);
  settle("b1", "1", State::in_doubt);
  settle("b1", "2", State::held);
  const auto met = ledger.settle_listed("orders", listed(true));
  EXPECT_EQ(met.doubts + met.arrived, 0);
  EXPECT_EQ(state_of("1"), State::in_doubt);
  EXPECT_EQ(state_of("2"), State::held);
  ledger.settle_listed("orders", listed(false));
  EXPECT_EQ(state_of("1"), State::sent);
  EXPECT_EQ(row("2").customer_id, 8);
  ledger.claim({"b2", "trials", "one", true}, both);
  ledger.settle("trials", "b2", {Outcome::unknown, 500, ""}, {{"1", State::in_doubt, ""}});
  EXPECT_EQ(ledger.settle_listed("trials", listed(true)).doubts, 1) << "it is a test itself";
}

TEST_P(Sightings, CountWhatTheServiceRefusedAndWhatBrokeIt) {
  claim("b1", {"1", "2", "3"});
  refuse("b1", {"1", "2"}, State::quarantined);
  settle("b1", "3", State::sent);
  ledger.set_aside("orders", State::quarantined, {{"4", "no address"}});
  const auto lately = ledger.refusals_since("orders", kDate - 24h);
  EXPECT_EQ(lately.refused, 2) << "the fourth was never sent";
  EXPECT_EQ(lately.sent, 1);
  claim("b2", {"5", "6"});
  ledger.settle("orders", "b2", {Outcome::unknown, 500, ""},
                {{"5", State::in_doubt, ""}, {"6", State::in_doubt, ""}});
  EXPECT_EQ(ledger.in_doubt("orders", 10).at(0).broken, 1);
  ledger.resolve("orders", {{"5", State::pending, ""}, {"6", State::pending, ""}});
  EXPECT_EQ(ledger.smallest_broken("orders", {"1", "6"}), 2);
  EXPECT_EQ(ledger.smallest_broken("orders", {"1", "2"}), 0);
  for (const char* batch : {"b3", "b4"}) {
    claim(batch, {"5"});
    ledger.settle("orders", batch, {Outcome::not_sent, 403, ""}, {{"5", State::pending, ""}});
  }
  claim("b5", {"5"});
  ledger.settle("orders", "b5", {Outcome::not_sent, 403, ""}, {{"5", State::held, ""}});
  ledger.decide("orders", State::pending, {"5"}, "resend");
  EXPECT_EQ(ledger.forbidden_alone("orders", "5"), 0) << "nothing was accepted after them";
  database.advance(1s);
  claim("b6", {"7"});
  ledger.settle("orders", "b6", {Outcome::accepted, 200, ""}, {{"7", State::sent, ""}});
  EXPECT_EQ(ledger.forbidden_alone("orders", "5"), 3) << "batches, not their events";
  EXPECT_EQ(ledger.forbidden_alone("orders", "6"), 0);
  const auto reasons = ledger.reasons("orders", State::quarantined);
  ASSERT_EQ(reasons.size(), 2u);
  EXPECT_EQ(reasons[0].rows, 2);
  EXPECT_EQ(ledger.in_state("orders", State::quarantined, "1", 1).at(0).key, "2");
}

// By MariaDB's usual collations these are the same.
TEST_P(Sightings, TellReasonsApartLetterByLetter) {
  ledger.set_aside(
      "orders", State::quarantined,
      {{"1", "Data[K\u00f6ln]", ""}, {"2", "Data[Koln]", ""}, {"3", "data[koln]", ""}});
  EXPECT_EQ(ledger.reasons("orders", State::quarantined).size(), 3u);
}

TEST_P(Sightings, TellTheSmallestBatchThatWasRefusedWithPendingRows) {
  const std::vector<std::string> keys = {"1", "2", "3", "4"};
  EXPECT_EQ(ledger.smallest_refused("orders", keys), 0);
  claim("b1", {"1", "2", "3"});
  refuse("b1", {"1", "2", "3"}, State::pending);
  EXPECT_EQ(ledger.smallest_refused("orders", keys), 3);
  claim("b2", {"1", "2"});
  refuse("b2", {"1", "2"}, State::pending);
  EXPECT_EQ(ledger.smallest_refused("orders", keys), 2);
  EXPECT_EQ(ledger.smallest_refused("orders", {"3", "4"}), 3);
  EXPECT_EQ(ledger.smallest_refused("orders", {}), 0);
  EXPECT_EQ(ledger.smallest_refused("visits", keys), 0);
}

TEST_P(Sightings, MakeAHeldRowSentThatTheServiceShowsAtLast) {
  claim("b1", {"1"});
  settle("b1", "1", State::in_doubt);
  ledger.resolve("orders", {{"1", State::held, "not found"}});
  EXPECT_EQ(ledger.settle_listed("orders", {{"1", 7}}).arrived, 1);
  EXPECT_EQ(state_of("1"), State::sent);
  EXPECT_FALSE(ledger.keeps_what_it_refuses("orders"));
}

TEST_P(Sightings, MakeARowSentThatWasSetAsideOrDelayedAfterItWasTried) {
  claim("b1", {"1", "2"});
  ledger.settle("orders", "b1", {Outcome::too_many, 429, ""},
                {{"1", State::pending, "not sent"}, {"2", State::pending, "not sent"}});
  ledger.set_aside("orders", State::quarantined, {{"1", "gone from the query"}});
  ledger.delay("orders", {{"2", "answered lately", database.time + 1h}, {"3", "the same", kDate}});
  EXPECT_EQ(ledger.settle_listed("orders", {{"1", 7}, {"2", 8}, {"3", 9}}).arrived, 2);
  EXPECT_EQ(state_of("1"), State::sent);
  EXPECT_EQ(state_of("2"), State::sent);
  EXPECT_EQ(state_of("3"), State::pending) << "it was never tried";
  EXPECT_EQ(row("1").customer_id, 7);
}

TEST_P(Sightings, LeaveAloneWhatWasNeverTriedOrIsUnderWay) {
  ledger.set_aside("orders", State::quarantined, {{"1", "no address"}});
  claim("b1", {"2"});
  EXPECT_EQ(ledger.settle_listed("orders", {{"1", 7}, {"2", 8}}).arrived, 0);
  EXPECT_EQ(state_of("1"), State::quarantined);
  EXPECT_EQ(state_of("2"), State::claimed);
}

TEST_P(Sightings, TellOnceThatATransactionIsThereTwice) {
  claim("b1", {"1"});
  settle("b1", "1", State::sent);
  EXPECT_EQ(ledger.settle_listed("orders", {{"1", 12}}).twice, 0);
  EXPECT_EQ(ledger.settle_listed("orders", {{"1", 2}}).twice, 1);
  EXPECT_THAT(row("1").reason, HasSubstr("MORE THAN ONCE"));
  EXPECT_EQ(ledger.settle_listed("orders", {{"1", 2}, {"1", 12}}).twice, 0) << "told already";
  EXPECT_EQ(ledger.settle_listed("orders", {{"1", 212}}).twice, 1) << "a third";
  EXPECT_EQ(state_of("1"), State::sent);
}

TEST_P(Sightings, SeeARefusalThatWasNoneInASecondCustomer) {
  claim("b1", {"1"});
  refuse("b1", {"1"}, State::pending);
  claim("b2", {"1"});
  settle("b2", "1", State::sent);
  EXPECT_EQ(ledger.settle_listed("orders", {{"1", 7}, {"1", 8}}).twice, 1);
  EXPECT_TRUE(ledger.keeps_what_it_refuses("orders"));
}

INSTANTIATE_TEST_SUITE_P(Databases, Sightings, every_dialect(), server_name);

}  // namespace
}  // namespace surveybridge::crm
