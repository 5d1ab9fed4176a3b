// A record that cannot be read where it would say whom not to mail: its person is not mailed until
// it can be read.
#include "connectors/crm/schema/schema.hpp"
#include "daemon/pull/backfill_plan.hpp"
#include "daemon/runtime/bridge.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;

// Each list has one record of a text of the test's own before those of the stand-in.
class UnreadRecords : public in_process::Shop {
 protected:
  UnreadRecords() {
    pull_and_suppress(R"(
[pull.customers]
from = 2026-11-01
[pull.bouncers]
look_back = "60d"
[suppress]
opted_out = true
bounced = true
)");
    change_answers([this](const service::Request&, service::Response& response) {
      add(response.body, "\"Customers\":[", customer_);
      add(response.body, "\"Bouncers\":[", bouncer_);
    });
    order("1");  // of person1@example.test
    order("2");
  }
  static void add(std::string& body, const std::string& list, const std::string& record) {
    const auto at = body.find(list);
    if (at == std::string::npos || record.empty()) return;
    const bool is_alone = body[at + list.size()] == ']';
    body.insert(at + list.size(), record + (is_alone ? "" : ","));
  }
  // What becomes of order 1 where the service lists a customer with these members.
  State state_with(const std::string& members) {
    customer_ = "{" + members + ",\"LastActivityDate\":\"2026-11-09T13:00:00Z\"}";
    sync();
    // A record that hides its key holds a push that has sent nothing yet.
    if (!crm::Ledger(*crm_).find("orders", "2")) {
      release(10);
      sync();
    }
    EXPECT_EQ(state("2"), State::sent) << "somebody else";
    return state("1");
  }
  std::string reason() { return Shop::reason("1"); }
  void backfill(crm::Instant from, crm::Instant to) {
    auto credentials = service::Credentials::make(settings_.service.auth);
    in_process::KeptLog log;
    daemon::Bridge past(
        settings_, in_process::environment_of(outside_, 9), log, *std::get<0>(credentials),
        {.once = true,
         .names = {"customers"},
         .backfill =
             daemon::plan_backfill(settings_.pulls.at(0), settings_.service.dialect, {from, to})});
    for (const auto& job : past.jobs())
      for (int step = 0; step < 20 && !job->status().caught_up; ++step)
        job->step(clock_.now);
  }
  // Every line of the log of a pull.
  std::string log_of_pull() {
    in_process::Instance daemon(settings_, outside_, 7);
    daemon.run_until(clock_.now + 30s);
    EXPECT_FALSE(daemon.log().has("person1@")) << "people stay out of the log";
    std::string all;
    for (const auto& line : daemon.log().lines())
      all += line + "\n";
    return all;
  }

  static constexpr const char* kPerson = R"("Id":805,"Email":"Person1@example.test")";
  std::string customer_, bouncer_;  // empty: none
};

TEST_F(UnreadRecords, ObviousFormsOfAnOptOutAreRead) {
  EXPECT_EQ(state_with(std::string(kPerson) + R"(,"OptedOut":1)"), State::suppressed);
  EXPECT_EQ(reason(), "opted out");
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_unreadable"), 0);
}

TEST_F(UnreadRecords, AnOptOutThatCannotBeReadDelaysItsPersonUntilItCanBeRead) {
  EXPECT_EQ(state_with(std::string(kPerson) + R"(,"OptedOut":"maybe")"), State::pending);
  EXPECT_NE(reason().find("may say that the person opted out"), std::string::npos) << reason();
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_unreadable WHERE hides = 'unread_opt_out' AND"
                   " person IS NOT NULL"),
            1);
  clock_.now += 24h;
  EXPECT_EQ(state_with(std::string(kPerson) + R"(,"OptedOut":"maybe")"), State::pending);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push_event WHERE key = '1'"), 1);
  clock_.now += 1h;
  EXPECT_EQ(state_with(std::string(kPerson) + R"(,"OptedOut":false)"), State::sent);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_unreadable"), 0);
}

// Whose it is may be shown otherwise by the time it can be read.
TEST_F(UnreadRecords, AnOptOutThatIsReadLaterHidesNobodyWhoseAddressIsMaskedByThen) {
  EXPECT_EQ(state_with(std::string(kPerson) + R"(,"OptedOut":"maybe")"), State::pending);
  clock_.now += 1h;
  EXPECT_EQ(state_with(R"("Id":805,"Email":"p***@example.test","OptedOut":false)"), State::sent);
}

TEST_F(UnreadRecords, AnOptOutThatIsReadLaterCountsAsOne) {
  EXPECT_EQ(state_with(std::string(kPerson) + R"(,"OptedOutDate":"soon")"), State::pending);
  clock_.now += 1h;
  EXPECT_EQ(state_with(std::string(kPerson) + R"(,"OptedOut":true)"), State::suppressed);
}

TEST_F(UnreadRecords, ARecordWithoutAKeyStillSaysWhoOptedOut) {
  EXPECT_EQ(state_with(R"("Email":"person1@example.test","OptedOut":true)"), State::suppressed);
}

TEST_F(UnreadRecords, ARecordWithoutAKeyHidesUntilItsPersonHasAnother) {
  EXPECT_EQ(state_with(R"("Email":"person1@example.test","OptedOut":[true])"), State::pending);
  clock_.now += 1h;
  EXPECT_EQ(state_with(std::string(kPerson) + R"(,"OptedOut":false)"), State::sent);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_unreadable WHERE hides IS NOT NULL"), 0);
}

// What a backfill brings is older.
TEST_F(UnreadRecords, ARecordWithoutAKeyHidesThoughABackfillBringsAnotherOfItsPerson) {
  EXPECT_EQ(state_with(R"("Email":"person1@example.test","OptedOut":[true])"), State::pending);
  customer_ = "{" + std::string(kPerson) + R"(,"LastActivityDate":"2026-11-02T13:00:00Z"})";
  backfill(clock_.now - 200h, clock_.now - 100h);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer WHERE id = 805"), 1);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_unreadable WHERE hides IS NOT NULL"), 1);
  customer_.clear();
  clock_.now += 1h;
  sync();
  EXPECT_EQ(state("1"), State::pending);
}

// The service has mended it, and its date has not moved.
TEST_F(UnreadRecords, ARecordThatABackfillCanReadHidesNothingAnyMore) {
  EXPECT_EQ(state_with(std::string(kPerson) + R"(,"OptedOut":"maybe")"), State::pending);
  customer_ = "{" + std::string(kPerson) +
              R"(,"OptedOut":false,"LastActivityDate":"2026-11-02T13:00:00Z"})";
  backfill(clock_.now - 200h, clock_.now - 100h);
  customer_.clear();
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_unreadable"), 0);
  clock_.now += 1h;
  sync();
  EXPECT_EQ(state("1"), State::sent);
}

TEST_F(UnreadRecords, AnAddressIsTakenFromTheTextWhereTheFieldCannotBeRead) {
  EXPECT_EQ(state_with(R"("Id":805,"Email":["person1@example.test"],"OptedOut":"maybe")"),
            State::pending);
  clock_.now += 1h;
  EXPECT_EQ(state_with(R"("Id":806,"Email":{"a":1},"OptedOut":"maybe")"), State::pending);
}

// `Email` of a customer that the bridge did not send.
const std::vector<std::string>& emails_of_person1() {
  static const std::vector<std::string> all = {
      R"("Person One <person1@example.test>")",
      R"("mailto:person1@example.test")",
      R"("other@example.test; person1@example.test")",
      R"("person1@example.test.")",
      R"("person1&#64;example.test")",
      R"("person1%40example.test")",
      R"({"Address":"person1\u0040example.test"})",
      R"(["Person One <person1@example.test>"])",
      R"(null,"Mail":"person1@example.test","Priority":"x")"};
  return all;
}

TEST_F(UnreadRecords, AnOptOutCountsInWhateverNotationTheAddressIs) {
  for (const auto& email : emails_of_person1()) {
    EXPECT_EQ(state_with(R"("Id":805,"OptedOut":true,"Email":)" + email), State::suppressed)
        << email;
    sql("DELETE FROM survey_person");
    sql("UPDATE survey_push SET state = 'pending', not_before = NULL WHERE key = '1'");
    clock_.now += 1h;
  }
}

TEST_F(UnreadRecords, AnOptOutThatCannotBeReadDelaysWhateverNotationTheAddressIs) {
  for (const auto& email : emails_of_person1()) {
    EXPECT_EQ(state_with(R"("Id":805,"OptedOut":"maybe","Email":)" + email), State::pending)
        << email;
    sql("DELETE FROM survey_person");
    sql("UPDATE survey_push SET not_before = NULL WHERE key = '1'");
    clock_.now += 1h;
  }
}

TEST_F(UnreadRecords, AnOptOutIsOfNobodyWhoseAddressIsOnlyLonger) {
  EXPECT_EQ(state_with(R"("Id":805,"OptedOut":true,"Email":"Jo <jo-person1@example.test>")"),
            State::sent);
}

TEST_F(UnreadRecords, ABounceCountsInAnotherNotation) {
  bouncer_ = R"({"Email":"Person One <person1@example.test>","Reason":"550 5.1.1 user unknown",)"
             R"("DateSent":null})";
  sync();
  EXPECT_EQ(state("1"), State::suppressed);
}

// Whose the list of a customer is.
constexpr const char* kTwo = R"("Id":805,"Email":"other@example.test; person1@example.test",)";

TEST_F(UnreadRecords, AnOptOutCountsThoughItsRecordIsStoredAlready) {
  settings_.pulls.at(0).overlap = 24h * 3650;
  EXPECT_EQ(state_with(std::string(kTwo) + R"("OptedOut":true)"), State::suppressed);
  sql("DELETE FROM survey_person");  // as if it had been stored by a version that reads one address
  sql("UPDATE survey_push SET state = 'pending', not_before = NULL WHERE key = '1'");
  clock_.now += 1h;
  EXPECT_EQ(state_with(std::string(kTwo) + R"("OptedOut":true)"), State::suppressed);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer WHERE id = 805"), 1);
  sql("UPDATE survey_person SET at = '2000-01-01 00:00:00' WHERE kind = 'opted_out'");
  clock_.now += 1h;
  EXPECT_EQ(state_with(std::string(kTwo) + R"("OptedOut":true)"), State::suppressed);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_person WHERE at LIKE '2000%'"), 2)
      << "what is known is not written again";
}

TEST_F(UnreadRecords, ABounceCountsThoughItsRecordIsStoredAlready) {
  bouncer_ = R"({"Email":"Person One <person1@example.test>","Reason":"550 5.1.1 user unknown",)"
             R"("DateSent":null})";
  sync();
  EXPECT_EQ(state("1"), State::suppressed);
  sql("DELETE FROM survey_person");
  sql("UPDATE survey_push SET state = 'pending', not_before = NULL WHERE key = '1'");
  clock_.now += 1h;
  sync();
  EXPECT_EQ(state("1"), State::suppressed);
}

TEST_F(UnreadRecords, AnAddressOfAForgottenPersonIsNotKeptBesideAnothers) {
  crm::make_schema(*crm_);
  crm::mark_forgotten(*crm_, person("second@example.test"), "");
  for (int listed = 1; listed <= 2; ++listed) {
    state_with(R"("Id":805,"Email":"Other <other@example.test>; Second@example.test")");
    EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer WHERE id = 805 AND email ="
                     " 'Other <other@example.test>; (erased)'"),
              1);
    clock_.now += 1h;
  }
}

// The record is of the forgotten one and is not kept.
TEST_F(UnreadRecords, AnOptOutCountsBesideAForgottenPerson) {
  crm::make_schema(*crm_);
  crm::mark_forgotten(*crm_, person("other@example.test"), "");
  for (const char* more : {"", R"(,"CompletionTimeInSeconds":"x")"}) {
    EXPECT_EQ(state_with(std::string(kTwo) + R"("OptedOut":true)" + more), State::suppressed);
    EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer WHERE id = 805"), 0);
    EXPECT_EQ(number("SELECT COUNT(*) FROM survey_unreadable"), 0);
    EXPECT_EQ(number("SELECT COUNT(*) FROM survey_person WHERE kind = 'opted_out'"), 1)
        << "nothing more of the forgotten one";
    sql("DELETE FROM survey_person WHERE kind <> 'forgotten'");
    sql("UPDATE survey_push SET state = 'pending', not_before = NULL WHERE key = '1'");
    clock_.now += 1h;
  }
}

TEST_F(UnreadRecords, AnInvitationWentToEveryAddressOfAList) {
  settings_.suppress->contact = {{.days = 90}};
  EXPECT_EQ(state_with(std::string(kTwo) + R"("DateInvited":"2026-11-09T12:00:00Z")"),
            State::suppressed);
}

TEST_F(UnreadRecords, AnAnswerIsOfTheFirstAddressOfAList) {
  settings_.suppress->contact = {{.days = 90, .since = config::Suppress::Contact::Since::answer}};
  EXPECT_EQ(state_with(std::string(kTwo) + R"("SurveyFinishedDate":"2026-11-09T12:00:00Z")"),
            State::sent);
}

TEST_F(UnreadRecords, WhatHidesNothingDelaysNobody) {
  EXPECT_EQ(state_with(std::string(kPerson) + R"(,"CompletionTimeInSeconds":12.5)"), State::sent);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_unreadable WHERE hides IS NULL"), 1);
}

TEST_F(UnreadRecords, WithoutTheRuleNobodyIsDelayed) {
  settings_.suppress->opted_out = false;
  EXPECT_EQ(state_with(std::string(kPerson) + R"(,"OptedOut":"maybe")"), State::sent);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_unreadable WHERE hides IS NULL"), 1);
}

TEST_F(UnreadRecords, ABounceThatCannotBeReadDelaysItsPerson) {
  bouncer_ = R"({"Email":"person1@example.test","Reason":{"Code":550},"DateSent":null})";
  sync();
  EXPECT_EQ(state("1"), State::pending);
  EXPECT_NE(reason().find("bounced"), std::string::npos) << reason();
}

TEST_F(UnreadRecords, TheLogSaysThatAPersonIsNotMailed) {
  customer_ = "{" + std::string(kPerson) + R"(,"OptedOut":"maybe"})";
  const std::string log = log_of_pull();
  EXPECT_NE(log.find("Customers[0].OptedOut cannot be read and is set aside: see survey_unreadable;"
                     " its person is not mailed until it can be read"),
            std::string::npos)
      << log;
}

TEST_F(UnreadRecords, TheLogSaysThatNobodyKnowsWhoseARecordIs) {
  customer_ = R"({"Id":805,"Email":null,"OptedOut":"maybe"})";
  const std::string log = log_of_pull();
  EXPECT_NE(log.find("it may say whom not to mail, and whose it is cannot be read"),
            std::string::npos)
      << log;
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_unreadable WHERE hides IS NOT NULL AND person IS"
                   " NULL"),
            1);
}

}  // namespace
