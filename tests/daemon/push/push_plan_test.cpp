#include "daemon/push/push_plan.hpp"

#include <gtest/gtest.h>

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using crm::State;
using service::Trouble;

const std::vector<std::string> kKeys{"a", "b", "c", "d"};

std::string states(const PushDecision& decision) {
  std::string text;
  for (const auto& verdict : decision.verdicts) {
    text += verdict.key + ":" + to_string(verdict.state) + " ";
  }
  return text;
}

Trouble trouble(Trouble::Kind kind, std::optional<service::Wait> wait = {}) {
  return {kind, 0, wait, "x"};
}

TEST(AfterPush, AcceptedIsSent) {
  const PushDecision decision = after_push(kKeys, service::Accepted{});
  EXPECT_EQ(states(decision), "a:sent b:sent c:sent d:sent ");
  EXPECT_EQ(decision.next, PushDecision::Next::go_on);
}

TEST(AfterPush, WhatWasNotProcessedGoesAgainAfterTheWaitAskedFor) {
  const PushDecision decision =
      after_push(kKeys, service::NotSent{trouble(Trouble::Kind::too_many, service::Wait{3000})});
  EXPECT_EQ(states(decision), "a:pending b:pending c:pending d:pending ");
  EXPECT_EQ(decision.next, PushDecision::Next::wait);
  EXPECT_EQ(decision.floor, std::chrono::seconds{3});
}

TEST(AfterPush, ForbiddenGoesApartInHalves) {
  const PushDecision decision =
      after_push(kKeys, service::NotSent{trouble(Trouble::Kind::forbidden)});
  EXPECT_EQ(states(decision), "a:pending b:pending c:pending d:pending ");
  EXPECT_EQ(decision.retry_split, (std::vector<std::vector<std::string>>{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(decision.next, PushDecision::Next::go_on);
  EXPECT_EQ(decision.fault, JobStatus::Fault::configuration);
}

TEST(AfterPush, ARefusalThatNamesARowOutsideOfTheBatchIsHalved) {
  const PushDecision decision =
      after_push(kKeys, service::Refused{400, {"bad", {1, kKeys.size()}}});
  EXPECT_EQ(states(decision), "a:pending b:pending c:pending d:pending ");
  EXPECT_EQ(decision.retry_split, (std::vector<std::vector<std::string>>{{"a", "b"}, {"c", "d"}}));
}

TEST(AfterPush, ARefusalInWordsOf200IsLookedUp) {
  const PushDecision decision =
      after_push(kKeys, service::Unknown{trouble(Trouble::Kind::rejected)});
  EXPECT_EQ(states(decision), "a:in_doubt b:in_doubt c:in_doubt d:in_doubt ");
  EXPECT_TRUE(decision.probe);
  EXPECT_EQ(decision.fault, JobStatus::Fault::person);
}

TEST(AfterPush, A500MakesTheNextBatchesSmaller) {
  service::Unknown broken{trouble(Trouble::Kind::unavailable)};
  EXPECT_EQ(after_push(kKeys, broken).size_cap, 0u);
  broken.trouble.status = 500;
  EXPECT_EQ(after_push(kKeys, broken).size_cap, 2u);
  EXPECT_EQ(after_push({"a"}, broken).size_cap, 0u);
}

std::vector<std::string> many(int rows) {
  std::vector<std::string> keys;
  for (int i = 0; i < rows; ++i)
    keys.push_back(std::to_string(i));
  return keys;
}

// A row is refused alone.
PushDecision refused(crm::Ledger::Refusals lately) {
  return doubt_refusals(after_push({"1"}, service::Refused{400, {"bad", {0}}}), lately);
}

// A batch of so many is decided with so many at fault.
PushDecision refused_together(std::size_t rows, std::size_t at_fault) {
  PushDecision decision;
  for (const auto& key : many(static_cast<int>(rows)))
    decision.verdicts.push_back(
        {key, decision.verdicts.size() < at_fault ? State::quarantined : State::pending, "bad",
         std::nullopt});
  return doubt_refusals(std::move(decision), {});
}

TEST(DoubtRefusals, AsksAPersonWhereMostRowsAreRefused) {
  const auto decision = refused_together(100, 100);
  EXPECT_EQ(decision.next, PushDecision::Next::ask);
  for (const auto& verdict : decision.verdicts)
    EXPECT_EQ(verdict.state, State::pending);
  EXPECT_TRUE(decision.retry_split.empty());
  EXPECT_EQ(refused({19, 5}).next, PushDecision::Next::ask) << "one by one";
}

TEST(DoubtRefusals, AsksAPersonWhereARefusalNamesEveryRowOfMany) {
  const auto named = [](int rows) {
    mapping::ServiceError error{"bad", {}};
    for (int i = 0; i < rows; ++i)
      error.customers.push_back(static_cast<std::size_t>(i));
    return doubt_refusals(after_push(many(rows), service::Refused{400, error}), {});
  };
  EXPECT_EQ(named(100).next, PushDecision::Next::ask);
  EXPECT_TRUE(named(100).retry_split.empty());
  EXPECT_EQ(named(19).next, PushDecision::Next::go_on);
  EXPECT_EQ(named(19).retry_split.size(), 2u);
}

TEST(DoubtRefusals, BelievesFewAndThoseBesideManyThatAreAccepted) {
  EXPECT_EQ(refused_together(19, 19).verdicts.front().state, State::quarantined);
  EXPECT_EQ(refused_together(200, 30).verdicts.front().state, State::quarantined);
  EXPECT_EQ(refused({40, 41}).verdicts.front().state, State::quarantined);
}

TEST(AfterPush, UnknownIsInDoubtAndNothingElse) {
  const PushDecision decision =
      after_push(kKeys, service::Unknown{trouble(Trouble::Kind::unavailable)});
  EXPECT_EQ(states(decision), "a:in_doubt b:in_doubt c:in_doubt d:in_doubt ");
  EXPECT_TRUE(decision.retry_split.empty());
}

TEST(AfterPush, UnknownWaitsAsLongAsTheServiceAsked) {
  const PushDecision decision =
      after_push(kKeys, service::Unknown{trouble(Trouble::Kind::too_many, service::Wait{3000})});
  EXPECT_EQ(states(decision), "a:in_doubt b:in_doubt c:in_doubt d:in_doubt ");
  EXPECT_EQ(decision.next, PushDecision::Next::wait);
  EXPECT_EQ(decision.floor, std::chrono::seconds{3});
}

TEST(AfterPush, AnAnswerThatIsNotTheServicesLetsASingleRowGoNext) {
  for (const auto kind : {Trouble::Kind::malformed, Trouble::Kind::misplaced}) {
    const PushDecision decision = after_push(kKeys, service::Unknown{trouble(kind)});
    EXPECT_TRUE(decision.probe);
    EXPECT_EQ(decision.fault, JobStatus::Fault::configuration);
  }
  EXPECT_FALSE(after_push(kKeys, service::Unknown{trouble(Trouble::Kind::unavailable)}).probe);
}

TEST(AfterPush, TooLargeGoesSmallerUntilOneIsTooLargeAlone) {
  EXPECT_EQ(after_push(kKeys, service::TooLarge{}).size_cap, 2u);
  EXPECT_EQ(states(after_push({"a"}, service::TooLarge{})), "a:quarantined ");
}

TEST(AfterPush, NamedRowsGoAloneAndTheOthersTogether) {
  const PushDecision decision = after_push(kKeys, service::Refused{400, {"bad e-mail", {1, 3}}});
  EXPECT_EQ(states(decision), "a:pending b:pending c:pending d:pending ");
  EXPECT_EQ(decision.retry_split,
            (std::vector<std::vector<std::string>>{{"a", "c"}, {"b"}, {"d"}}));
  EXPECT_EQ(decision.named, (std::vector<std::string>{"b", "d"}));
}

TEST(AfterPush, ARefusalThatNamesEveryRowIsHalved) {
  const PushDecision decision = after_push(kKeys, service::Refused{400, {"bad", {0, 1, 2, 3}}});
  EXPECT_EQ(states(decision), "a:pending b:pending c:pending d:pending ");
  EXPECT_EQ(decision.retry_split, (std::vector<std::vector<std::string>>{{"a", "b"}, {"c", "d"}}));
}

TEST(AfterPush, ARowThatIsRefusedAloneIsQuarantinedWithTheServicesWords) {
  const PushDecision decision = after_push({"a"}, service::Refused{400, {"bad e-mail", {0}}});
  EXPECT_EQ(states(decision), "a:quarantined ");
  EXPECT_NE(decision.verdicts[0].reason.find("bad e-mail"), std::string::npos);
}

TEST(AfterPush, ARefusalThatMayBeALieIsInDoubt) {
  const PushDecision decision = after_push(kKeys, service::Refused{400, {"bad e-mail", {1}}}, true);
  EXPECT_EQ(states(decision), "a:in_doubt b:in_doubt c:in_doubt d:in_doubt ");
  EXPECT_TRUE(decision.retry_split.empty());
  EXPECT_EQ(decision.answer.outcome, crm::Outcome::refused);
}

TEST(AfterPush, ANameOutsideTheBatchIsNoName) {
  const PushDecision decision = after_push(kKeys, service::Refused{400, {"bad", {4, 1000}}});
  EXPECT_EQ(states(decision), "a:pending b:pending c:pending d:pending ");
  EXPECT_EQ(decision.retry_split.size(), 2u);
}

TEST(AfterPush, WithoutANameHalvesGoApartUntilOneStandsAlone) {
  const PushDecision decision = after_push(kKeys, service::Refused{400, {"no", {}}});
  EXPECT_EQ(decision.retry_split, (std::vector<std::vector<std::string>>{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(states(after_push({"c"}, service::Refused{400, {"no", {}}})), "c:quarantined ");
}

BatchItem item(const std::string& key, const std::string& email) {
  mapping::Record customer(mapping::import_customer());
  customer.set("Email", email);
  return {{key, email, {}}, std::move(customer)};
}

std::string keys(const std::vector<BatchItem>& batch) {
  std::string text;
  for (const auto& in : batch)
    text += in.claim.key;
  return text;
}

TEST(CutBatch, LeavesASecondInvitationOfOneAddressForALaterBatch) {
  std::vector<BatchItem> all{item("a", "x@e.test"), item("b", "X@E.test"), item("c", "y@e.test")};
  EXPECT_EQ(keys(cut_batch(all, 10, 100000, false)), "ac");
  EXPECT_EQ(keys(cut_batch(all, 10, 100000, true)), "abc");
  const std::vector<BatchItem> beyond_ascii{item("a", "jürgen@e.test"), item("b", "JÜRGEN@E.test"),
                                            item("c", "άλφα@e.test"), item("d", "ΆΛΦΑ@e.test ")};
  EXPECT_EQ(keys(cut_batch(beyond_ascii, 10, 100000, false)), "ac");
}

TEST(CutBatch, KeepsToCountAndBytes) {
  std::vector<BatchItem> all;
  for (char c = 'a'; c < 'k'; ++c) {
    all.push_back(item(std::string(1, c), std::string(1, c) + "@e.test"));
  }
  EXPECT_EQ(keys(cut_batch(all, 3, 100000, false)), "abc");
  EXPECT_LT(cut_batch(all, 10, 150, false).size(), 10u);
  EXPECT_EQ(cut_batch(all, 10, 1, false).size(), 1u) << "one always goes";
  EXPECT_TRUE(cut_batch({}, 10, 1000, false).empty());
}

}  // namespace
