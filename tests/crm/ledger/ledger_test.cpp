#include <thread>

#include <gmock/gmock.h>

#include "connectors/crm/people/people.hpp"
#include "tests/crm/ledgers.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

TEST_P(Ledgers, ClaimNewKeysAndWriteTheBatch) {
  EXPECT_THAT(claim("b1", {"2", "1"}), ElementsAre("2", "1"));
  const Entry entry = ledger.find("orders", "1").value();
  EXPECT_EQ(entry.state, State::claimed);
  EXPECT_EQ(entry.batch, "b1");
  EXPECT_EQ(entry.attempts, 1);
  EXPECT_EQ(entry.seen_at, database.time);
  EXPECT_EQ(entry.changed_at, database.time);
  EXPECT_EQ(entry.reason, "");
  EXPECT_FALSE(entry.customer_id);
  const auto batch = ledger.batch("b1").value();
  EXPECT_EQ(batch.rows, 2);
  EXPECT_EQ(batch.owner, "one");
  EXPECT_EQ(batch.sent_at, database.time);
  EXPECT_EQ(batch.answer.outcome, Outcome::none);
  EXPECT_FALSE(batch.settled_at);
}

TEST_P(Ledgers, DoNotClaimAKeyTwice) {
  claim("b1", {"1"});
  EXPECT_THAT(claim("b2", {"1", "2"}), ElementsAre("2"));
  EXPECT_EQ(ledger.find("orders", "1")->batch, "b1");
  EXPECT_EQ(ledger.batch("b2")->rows, 1);
}

TEST_P(Ledgers, ClaimTheFirstOfTwoRowsWithOneKey) {
  EXPECT_THAT(claim("b1", {"1", "1"}), ElementsAre("1"));
  EXPECT_EQ(ledger.find("orders", "1")->attempts, 1);
  EXPECT_EQ(story("1"), "claimed");
}

TEST_P(Ledgers, WriteNoBatchWhereNothingWasClaimed) {
  claim("b1", {"1"});
  EXPECT_THAT(claim("b2", {"1"}), IsEmpty());
  EXPECT_THAT(claim("b3", {}), IsEmpty());
  EXPECT_FALSE(ledger.batch("b2"));
  EXPECT_FALSE(ledger.batch("b3"));
}

TEST_P(Ledgers, RefuseABatchIdThatWasUsedAndClaimNothing) {
  claim("b1", {"1"});
  EXPECT_THROW(claim("b1", {"2"}), DatabaseError);
  EXPECT_FALSE(ledger.find("orders", "2"));
}

TEST_P(Ledgers, NeverReclaimWhatWasSentRefusedHeldOrSetAside) {
  claim("b1", {"s", "r", "h", "d"});
  settle("b1", "s", State::sent);
  settle("b1", "r", State::quarantined);
  settle("b1", "h", State::held);
  settle("b1", "d", State::in_doubt);
  ledger.set_aside("orders", State::quarantined, {{"q", "bad"}});
  ledger.set_aside("orders", State::suppressed, {{"o", "opted out"}});
  EXPECT_THAT(claim("b2", {"s", "r", "h", "d", "q", "o"}), IsEmpty());
}

TEST_P(Ledgers, ClaimAPendingKeyAgainAndCountIt) {
  claim("b1", {"1"});
  settle("b1", "1", State::pending, "not sent");
  EXPECT_EQ(ledger.find("orders", "1")->reason, "not sent");
  database.advance(1min);
  EXPECT_THAT(claim("b2", {"1", "2"}), ElementsAre("1", "2"));
  const Entry entry = ledger.find("orders", "1").value();
  EXPECT_EQ(entry.attempts, 2);
  EXPECT_EQ(entry.batch, "b2");
  EXPECT_EQ(entry.reason, "");
  EXPECT_EQ(entry.seen_at, database.time - 1min);
  EXPECT_EQ(entry.changed_at, database.time);
  EXPECT_EQ(story("1"), "claimed pending claimed");
}

TEST_P(Ledgers, KeepOneKeyOfTwoPushesApart) {
  claim("b1", {"1"});
  EXPECT_THAT(claim("b2", {"1"}, "visits"), ElementsAre("1"));
  EXPECT_EQ(settle("b2", "1", State::sent), 0) << "b2 belongs to the other push";
  EXPECT_EQ(ledger.find("visits", "1")->state, State::claimed);
}

TEST_P(Ledgers, TellKeysApartByEveryCharacter) {
  const std::vector<std::string> keys = {"a",   "A",  "a ", " a",   "á",    "a\xCC\x81", "a\\",
                                         "{a}", "\"", ",",  "NULL", "null", "a\nb",      "'"};
  EXPECT_EQ(claim("b1", keys), keys);
  for (const auto& key : keys)
    EXPECT_EQ(ledger.find("orders", key).value().key, key);
}

TEST_P(Ledgers, DoNotTakeAKeyThatIsTooLong) {
  EXPECT_THAT(claim("b1", {std::string(kKeyBytesMax, 'k'), std::string(kKeyBytesMax + 1, 'k')}),
              ElementsAre(std::string(kKeyBytesMax, 'k')));
}

TEST_P(Ledgers, SettleWithTheAnswerAndForgetWhomItWasFor) {
  claim("b1", {"1", "2"});
  EXPECT_EQ(cells_with_mail(), 2);
  database.advance(2s);
  EXPECT_EQ(ledger.settle("orders", "b1", {Outcome::accepted, 201, "made"},
                          {{"1", State::sent, "", 77}, {"2", State::quarantined, "bad mail"}}),
            2);
  EXPECT_EQ(ledger.find("orders", "1")->customer_id, 77);
  EXPECT_EQ(ledger.find("orders", "2")->reason, "bad mail");
  EXPECT_EQ(cells_with_mail(), 0);
  const auto batch = ledger.batch("b1").value();
  EXPECT_EQ(batch.answer.outcome, Outcome::accepted);
  EXPECT_EQ(batch.answer.http_status, 201);
  EXPECT_EQ(batch.answer.detail, "made");
  EXPECT_EQ(batch.settled_at, database.time);
}

TEST_P(Ledgers, MoveNothingThatIsSettledAlready) {
  claim("b1", {"1"});
  EXPECT_EQ(settle("b1", "1", State::pending), 1);
  EXPECT_EQ(settle("b1", "1", State::sent), 0);
  EXPECT_EQ(settle("b1", "unknown", State::sent), 0);
  claim("b2", {"1"});
  EXPECT_EQ(settle("b1", "1", State::sent), 0) << "the row is another batch's now";
  EXPECT_EQ(state_of("1"), State::claimed);
  EXPECT_EQ(story("1"), "claimed pending claimed");
}

TEST_P(Ledgers, RefuseToSettleIntoAStateThatIsNoAnswer) {
  claim("b1", {"1"});
  EXPECT_THROW(settle("b1", "1", State::claimed), std::invalid_argument);
  EXPECT_THROW(settle("b1", "1", State::suppressed), std::invalid_argument);
  EXPECT_EQ(state_of("1"), State::claimed);
}

TEST_P(Ledgers, KeepWhatAReadBackNeedsOfARowInDoubt) {
  ledger.claim({"b1", "orders", "one", true}, {{"1", "jo@example.test", kDate}});
  database.advance(1min);
  settle("b1", "1", State::in_doubt, "time-out");
  const auto doubts = ledger.in_doubt("orders", 10);
  ASSERT_EQ(doubts.size(), 1u);
  EXPECT_EQ(doubts[0].key, "1");
  EXPECT_EQ(doubts[0].batch, "b1");
  EXPECT_EQ(doubts[0].email, "jo@example.test");
  EXPECT_EQ(doubts[0].transaction_date, kDate);
  EXPECT_EQ(doubts[0].since, database.time);
  EXPECT_TRUE(doubts[0].test);
}

TEST_P(Ledgers, LetTheBatchsOwnAnswerSettleADoubt) {
  claim("b1", {"1"});
  settle("b1", "1", State::in_doubt, "time-out");
  const Instant since = database.time;
  database.advance(1min);
  settle("b1", "1", State::in_doubt, "time-out again");
  EXPECT_EQ(ledger.in_doubt("orders", 10).at(0).since, since) << "in doubt since the first time";
  EXPECT_EQ(settle("b1", "1", State::sent), 1);
  EXPECT_EQ(cells_with_mail(), 0);
}

TEST_P(Ledgers, ListDoubtsOldestFirstAndNoMoreThanAsked) {
  for (const std::string key : {"z", "m", "a"}) {
    claim("b" + key, {key});
    settle("b" + key, key, State::in_doubt);
    database.advance(1s);
  }
  const auto doubts = ledger.in_doubt("orders", 2);
  ASSERT_EQ(doubts.size(), 2u);
  EXPECT_EQ(doubts[0].key, "z");
  EXPECT_EQ(doubts[1].key, "m");
  EXPECT_THAT(ledger.in_doubt("visits", 2), IsEmpty());
}

TEST_P(Ledgers, KnowTheOldestRowOfEachStateThatARowLeaves) {
  const Instant begin = database.time;
  const auto oldest = [&] {
    std::vector<std::string> all;
    for (const auto& each : ledger.oldest("orders", database.time))
      all.push_back(each.state + " " + std::to_string((each.since - begin) / 1min));
    return all;
  };
  EXPECT_THAT(oldest(), IsEmpty());
  claim("b1", {"1", "2", "3"});
  settle("b1", "1", State::sent);
  database.advance(1min);
  settle("b1", "2", State::in_doubt);
  ledger.set_aside("orders", State::quarantined, {{"4", "no address"}});
  ledger.delay("orders", {{"5", "asked lately", database.time + 1h}});
  database.advance(1min);
  settle("b1", "2", State::in_doubt, "again");
  claim("b2", {"6"});
  ledger.delay("orders", {{"7", "asked lately", database.time + 1h}});
  claim("b3", {"8"}, "visits");
  EXPECT_THAT(oldest(), testing::UnorderedElementsAre("claimed 0", "in_doubt 1", "quarantined 1",
                                                      "delayed 1"));
  database.advance(59min);
  EXPECT_THAT(oldest(), testing::UnorderedElementsAre("claimed 0", "in_doubt 1", "quarantined 1",
                                                      "pending 1", "delayed 2"));
}

TEST_P(Ledgers, ResolveOnlyWhatIsInDoubt) {
  claim("b1", {"1", "2", "3", "4"});
  for (const std::string key : {"1", "2", "3"})
    settle("b1", key, State::in_doubt);
  EXPECT_EQ(ledger.resolve("orders", {{"1", State::sent, "found", 5},
                                      {"2", State::pending, "absent"},
                                      {"3", State::held, "absent"},
                                      {"4", State::pending, "absent"}}),
            3);
  EXPECT_EQ(ledger.find("orders", "1")->customer_id, 5);
  EXPECT_EQ(ledger.find("orders", "1")->reason, "found");
  EXPECT_EQ(state_of("2"), State::pending);
  EXPECT_EQ(state_of("3"), State::held);
  EXPECT_EQ(state_of("4"), State::claimed);
  EXPECT_EQ(story("1"), "claimed in_doubt sent");
  EXPECT_THROW(ledger.resolve("orders", {{"1", State::suppressed, ""}}), std::invalid_argument);
}

TEST_P(Ledgers, DoNotBelieveAReadBackOfAnEarlierBatch) {
  claim("b1", {"1"});
  settle("b1", "1", State::in_doubt);
  ledger.resolve("orders", {{"1", State::pending, "absent"}});
  claim("b2", {"1"});
  settle("b2", "1", State::in_doubt);
  EXPECT_EQ(ledger.resolve("orders", {{"1", State::pending, "absent", std::nullopt, "", 1}}), 0);
  EXPECT_EQ(ledger.resolve("orders", {{"1", State::pending, "absent", std::nullopt, "", 2}}), 1);
}

TEST_P(Ledgers, DoubtWhatADeadInstanceLeftClaimed) {
  Leases leases(database);
  leases.take("instance:one", "one", 60s);
  claim("b1", {"1"});
  EXPECT_EQ(ledger.doubt_the_dead("orders"), 0);
  database.advance(61s);
  EXPECT_EQ(ledger.doubt_the_dead("visits"), 0);
  EXPECT_EQ(ledger.doubt_the_dead("orders"), 1);
  EXPECT_EQ(ledger.doubt_the_dead("orders"), 0);
  EXPECT_EQ(ledger.in_doubt("orders", 10).at(0).email, "1@example.test");
  EXPECT_THAT(ledger.find("orders", "1")->reason, testing::HasSubstr("one"));
  EXPECT_EQ(settle("b1", "1", State::sent), 1) << "it was not dead and its answer has come";
}

TEST_P(Ledgers, DoubtAClaimThatALivingInstanceNeverSettled) {
  Leases(database).take("instance:one", "one", std::chrono::seconds{600});
  EXPECT_EQ(settle("b1", "1", State::pending), 0) << "its commit was lost, and then was not";
  claim("b1", {"1"});
  database.advance(std::chrono::seconds{30});
  Leases(database).take("instance:one", "one", std::chrono::seconds{600});
  EXPECT_EQ(ledger.doubt_the_dead("orders", std::chrono::seconds{30}), 0);
  database.advance(std::chrono::seconds{1});
  EXPECT_EQ(ledger.doubt_the_dead("orders", std::chrono::seconds{30}), 1);
  EXPECT_EQ(ledger.find("orders", "1")->reason, "instance one did not settle it in time");
  EXPECT_EQ(settle("b1", "1", State::sent), 1) << "its own answer still counts";
}

TEST_P(Ledgers, BelieveNoLeaseOfAClockThatWasAhead) {
  database.advance(std::chrono::hours{24});
  Leases(database).take("instance:one", "one", std::chrono::seconds{60});
  claim("b1", {"1"});
  database.advance(-std::chrono::hours{24});
  EXPECT_EQ(ledger.doubt_the_dead("orders"), 1);
}

TEST_P(Ledgers, SetAsideNewAndPendingKeysOnly) {
  claim("b1", {"1", "2"});
  settle("b1", "1", State::pending);
  EXPECT_EQ(ledger.set_aside("orders", State::quarantined,
                             {{"1", "no address"}, {"2", "no address"}, {"3", "no address"}}),
            2);
  EXPECT_EQ(state_of("1"), State::quarantined);
  EXPECT_EQ(state_of("2"), State::claimed);
  EXPECT_EQ(ledger.find("orders", "3")->reason, "no address");
  EXPECT_EQ(ledger.find("orders", "3")->attempts, 0);
  EXPECT_EQ(ledger.find("orders", "1")->attempts, 1);
  EXPECT_THROW(ledger.set_aside("orders", State::sent, {{"4", ""}}), std::invalid_argument);
  EXPECT_EQ(ledger.set_aside("orders", State::suppressed, {}), 0);
}

// A restored ledger suppresses a transaction that went out: its rating is nobody else's.
TEST_P(Ledgers, KnowWhoseASuppressedTransactionWas) {
  ledger.set_aside("orders", State::suppressed, {{"1", "asked to be forgotten", "ann"}});
  People people(database);
  people.note({{"ann", FactKind::forgotten, "ann", database.now()}});
  EXPECT_EQ(people.transactions_of("orders", {"1"}, {FactKind::forgotten}).size(), 1u);
}

TEST_P(Ledgers, JudgeSuppressedRowsAgainUnlessTheirPersonHasSaidSo) {
  ledger.set_aside("orders", State::suppressed,
                   {{"1", "bounced", "ann"},
                    {"2", "opted out", "bob"},
                    {"3", "forgotten", "cleo"},
                    {"4", "named by [suppress] query"}});
  People(database).note({{"ann", FactKind::bounced_hard, "7", kDate},
                         {"bob", FactKind::opted_out, "8", kDate},
                         {"cleo", FactKind::forgotten, "cleo", kDate}});
  ledger.set_aside("orders", State::quarantined, {{"5", "bad"}});
  EXPECT_EQ(ledger.judge_again("orders", {"1", "2", "3", "4", "5", "6"}, "by jo"), 2);
  EXPECT_EQ(state_of("1"), State::pending);
  EXPECT_EQ(state_of("2"), State::suppressed);
  EXPECT_EQ(state_of("3"), State::suppressed);
  EXPECT_EQ(state_of("4"), State::pending);
  EXPECT_EQ(state_of("5"), State::quarantined);
  EXPECT_EQ(ledger.history("orders", "1").back().detail, "by jo");
}

TEST_P(Ledgers, RetryAndDropOnlyWhatIsInQuarantine) {
  ledger.set_aside("orders", State::quarantined, {{"1", "bad"}, {"2", "bad"}});
  claim("b1", {"3"});
  EXPECT_EQ(ledger.retry("orders", {"1", "3", "4"}, "by jo"), 1);
  EXPECT_EQ(ledger.drop("orders", {"2", "3", "4"}, "by jo"), 1);
  EXPECT_EQ(state_of("1"), State::pending);
  EXPECT_EQ(state_of("2"), State::suppressed);
  EXPECT_EQ(state_of("3"), State::claimed);
  EXPECT_THAT(claim("b2", {"1", "2"}), ElementsAre("1"));
}

TEST_P(Ledgers, LetAnOperatorDecideOnlyWhatIsHeldOrInDoubt) {
  claim("b1", {"1", "2", "3"});
  settle("b1", "1", State::in_doubt);
  settle("b1", "2", State::held);
  EXPECT_EQ(ledger.decide("orders", State::sent, {"1", "3"}, "seen by jo"), 1);
  EXPECT_EQ(ledger.decide("orders", State::pending, {"2", "3", "1"}, "jo says resend"), 1);
  EXPECT_EQ(state_of("1"), State::sent);
  EXPECT_EQ(state_of("2"), State::pending);
  EXPECT_EQ(state_of("3"), State::claimed);
  EXPECT_THROW(ledger.decide("orders", State::held, {"1"}, ""), std::invalid_argument);
}

// A row that no batch has, as "1" at first, is told apart from one that has been sent since, too.
TEST_P(Ledgers, KeepWhatWasClaimedAgainSinceSomebodyLookedAtIt) {
  ledger.doubt_listed({.id = "b0", .push = "orders", .owner = "one", .lost = {"1"}},
                      {{"1", "1@example.test", kDate}});
  ledger.resolve("orders", {{"1", State::held, "not listed"}});
  claim("b1", {"2", "3"});
  settle("b1", "2", State::held);
  settle("b1", "3", State::held);
  const Ledger::Attempts seen{{"1", 1}, {"2", 1}, {"3", 1}};
  ASSERT_EQ(ledger.find("orders", "1")->attempts, 1);
  EXPECT_EQ(ledger.decide("orders", State::pending, {"1", "2"}, "jo says resend", seen), 2);
  ASSERT_THAT(claim("b2", {"1", "2"}), ElementsAre("1", "2"));
  settle("b2", "1", State::held);
  settle("b2", "2", State::in_doubt);
  EXPECT_EQ(ledger.decide("orders", State::pending, {"1", "2", "3"}, "ann says so, too", seen), 1);
  EXPECT_EQ(state_of("1"), State::held);
  EXPECT_EQ(state_of("3"), State::pending);
  EXPECT_EQ(ledger.decide("orders", State::sent, {"1", "2"}, "seen by ann", seen), 0);
  const auto doubts = ledger.in_doubt("orders", 9);
  ASSERT_EQ(doubts.size(), 1u);
  EXPECT_EQ(doubts.front().attempts, 2);
  EXPECT_EQ(ledger.resolve("orders", {{"2", State::pending, "absent", std::nullopt, "", 1}}), 0)
      << "of the batch before";
  EXPECT_EQ(ledger.decide("orders", State::sent, {"1", "2"}, "seen by ann"), 2);
}

TEST_P(Ledgers, CutALongReasonBetweenCharacters) {
  claim("b1", {"1"});
  std::string reason(kReasonBytesMax - 1, 'x');
  settle("b1", "1", State::quarantined, reason + "é and more");
  EXPECT_EQ(ledger.find("orders", "1")->reason, reason);
}

TEST_P(Ledgers, ShareTheRowsBetweenTwoInstances) {
  Ledger other(open());
  EXPECT_THAT(claim("b1", {"1", "2"}), ElementsAre("1", "2"));
  EXPECT_THAT(other.claim({"b2", "orders", "two"}, {{"2", "", kDate}, {"3", "", kDate}}),
              ElementsAre("3"));
  EXPECT_EQ(other.settle("orders", "b2", {Outcome::accepted, 200, ""}, {{"2", State::sent, ""}}),
            0);
  EXPECT_EQ(settle("b1", "2", State::sent), 1);
}

// Each key is claimed by one of them, however their transactions fall; in opposite order, so that
// they would wait for each other in a ring if the order of locks were the order of rows.
TEST_P(Ledgers, ClaimEachKeyOnceForManyAtOnce) {
  constexpr int kKeys = 200;
  const auto claim_all = [](Database& session, const std::string& owner, bool backwards,
                            std::vector<std::string>& ours) {
    std::vector<Claim> rows;
    for (int i = 0; i < kKeys; ++i) {
      rows.push_back({std::to_string(backwards ? kKeys - 1 - i : i), "", kDate});
    }
    while (true) {
      try {
        ours = Ledger(session).claim({"batch of " + owner, "orders", owner}, rows);
        return;
      } catch (const DatabaseError& error) {  // a step that met another's lock is tried again
        if (error.kind != DatabaseError::Kind::busy) throw;
      }
    }
  };
  std::vector<std::vector<std::string>> claimed(4);
  std::vector<std::thread> instances;
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    instances.emplace_back(claim_all, std::ref(open()), std::to_string(i), i % 2 == 0,
                           std::ref(claimed[i]));
  }
  for (auto& instance : instances)
    instance.join();
  std::size_t all = 0;
  for (const auto& ours : claimed)
    all += ours.size();
  EXPECT_EQ(all, kKeys);
  EXPECT_EQ(ledger.list("orders", State::claimed, 1000).size(), kKeys);
}

TEST(States, AreReadAsTheyAreWritten) {
  for (int i = 0; i <= static_cast<int>(State::quarantined); ++i) {
    const auto state = static_cast<State>(i);
    EXPECT_EQ(state_from(to_string(state)), state);
  }
  EXPECT_FALSE(state_from("Sent"));
  EXPECT_FALSE(state_from(""));
}

INSTANTIATE_TEST_SUITE_P(Databases, Ledgers, every_database(), server_name);

TEST_P(Ledgers, TellWhatTheCrmMayMendAndTryItAgainOnce) {
  ledger.set_aside("orders", State::quarantined, {{"1", "no address", "", "d1"}});
  ledger.set_aside("orders", State::suppressed, {{"2", "skipped", "", "d2"}, {"3", "opted out"}});
  claim("b1", {"4"});
  const auto found = ledger.mendable("orders", {"1", "2", "3", "4", "5"});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(ledger.may_have_mendable("orders", database.time));
  EXPECT_FALSE(ledger.may_have_mendable("orders", database.time + 1s));
  EXPECT_EQ(ledger.mended("orders", {{"1", "another"}, {"3", "d3"}, {"4", "d4"}}, "changed"), 0);
  EXPECT_EQ(ledger.mended("orders", found, "changed"), 2);
  EXPECT_EQ(ledger.mended("orders", found, "changed"), 0);
  EXPECT_EQ(story("1"), "quarantined pending");
  EXPECT_EQ(story("2"), "suppressed pending");
}

TEST_P(Ledgers, LookAtFewRowsForWhatTheCrmMayMend) {
  ledger.set_aside("orders", State::suppressed, {{"1", "opted out"}, {"2", "opted out"}});
  EXPECT_FALSE(ledger.may_have_mendable("orders", database.time, 3));
  EXPECT_TRUE(ledger.may_have_mendable("orders", database.time, 2)) << "there may be others";
}

TEST_P(Ledgers, LetARefusedRowWaitUntilTheServiceWouldListIt) {
  ledger.claim({"b1", "orders", "one"}, {{"1", "1@e.test", kDate, "", "d1"}});
  settle("b1", "1", State::quarantined, "refused");
  ledger.set_aside("orders", State::quarantined, {{"2", "no address", "", "d2"}});
  const auto found = [&](Instant listed_until) {
    return ledger.mendable("orders", {"1", "2"}, listed_until).size();
  };
  EXPECT_EQ(found(database.time), 1u) << "one that was never sent does not wait";
  EXPECT_EQ(found(database.time + 1s), 2u);
}

TEST_P(Ledgers, LetARowThatWasSentWaitADayAtMost) {
  const Claim row{"1", "1@e.test", kDate, "", "d1"};
  ledger.claim({"b1", "orders", "one"}, {row});
  settle("b1", "1", State::pending, "later");
  database.time += 72h;
  ledger.claim({"b2", "orders", "one"}, {row});
  settle("b2", "1", State::quarantined, "refused");
  database.time += 23h;
  EXPECT_THAT(ledger.mendable("orders", {"1"}), IsEmpty());
  database.time += 1h;
  EXPECT_THAT(ledger.mendable("orders", {"1"}), testing::SizeIs(1));
}

TEST_P(Ledgers, LetAMendedRowWaitAsLongAsItIsKnownAndAnHourAtMost) {
  const auto set_aside = [&] {
    ledger.set_aside("orders", State::quarantined, {{"1", "no address", "", "d1"}});
  };
  const auto may_go = [&] { return !ledger.mendable("orders", {"1"}).empty(); };
  set_aside();
  EXPECT_TRUE(may_go());
  for (const auto known : {10min, 3000min}) {
    const auto waits = std::min(known, 60min);
    database.time += known;
    ledger.mended("orders", {{"1", "d1"}}, "changed");
    set_aside();
    database.time += waits - 1min;
    EXPECT_FALSE(may_go()) << known.count();
    database.time += 1min;
    EXPECT_TRUE(may_go()) << known.count();
  }
}

TEST_P(Ledgers, LeaveWhatAPersonHasDecidedAndForgetTheDigestOfWhatWasSent) {
  ledger.set_aside("orders", State::quarantined, {{"1", "no address", "", "d1"}});
  ledger.drop("orders", {"1"}, "dropped");
  EXPECT_THAT(ledger.mendable("orders", {"1"}), IsEmpty());
  EXPECT_EQ(ledger.mended("orders", {{"1", "d1"}}, "changed"), 0);
  ledger.claim({"b1", "orders", "one"}, {{"2", "2@e.test", kDate, "", "d2"}});
  ledger.claim({"b2", "orders", "one"}, {{"3", "3@e.test", kDate, "", "d3"}});
  settle("b1", "2", State::quarantined, "refused");
  settle("b2", "3", State::sent);
  const auto found = ledger.mendable("orders", {"2", "3"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().digest, "d2") << "as it was claimed";
  EXPECT_EQ(number_in(database, "SELECT COUNT(*) FROM survey_push WHERE digest = 'd3'"), 0);
}

TEST_P(Ledgers, CountWhatWasTakenOfAQuotaFromItsClaim) {
  const auto claim_of = [&](const std::string& batch, const std::string& key,
                            const std::string& quota) {
    ledger.claim({batch, "orders", "one"}, {{key, key + "@e.test", kDate, "", "", quota}});
  };
  const auto taken = [&](Instant since) {
    return ledger.taken("orders", {"north", "south"}, since);
  };
  const Instant first = database.time;
  claim_of("b1", "1", "north");
  claim_of("b2", "2", "north");
  claim_of("b3", "3", "east");
  EXPECT_EQ(taken(first), (std::map<std::string, std::int64_t>{{"north", 2}}));
  database.time += 1h;
  settle("b1", "1", State::pending);
  settle("b2", "2", State::in_doubt);
  claim_of("b4", "4", "south");
  settle("b4", "4", State::sent);
  EXPECT_EQ(taken(first), (std::map<std::string, std::int64_t>{{"north", 1}, {"south", 1}}));
  EXPECT_EQ(taken(database.time), (std::map<std::string, std::int64_t>{{"south", 1}}))
      << "the other one was claimed before";
}

}  // namespace
}  // namespace surveybridge::crm
