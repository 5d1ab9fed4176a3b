#include "mapping/report/invitation.hpp"

#include <gtest/gtest.h>

namespace {

using namespace surveybridge::mapping;
using namespace std::chrono_literals;

constexpr Instant kSent{std::chrono::sys_days{std::chrono::year{2026} / 11 / 2}};

Record customer_with(const char* field, Value value) {
  Record record(customer());
  record.set("Id", std::int64_t{1});
  record.set(field, std::move(value));
  return record;
}

Invitation invitation_of(const Record& customer) {
  return surveybridge::mapping::invitation_of(customer, answered(customer));
}

Record& add_answer(Record& record, std::int64_t question, const std::optional<Instant>& at) {
  auto& answers = record.at("Answers").records;
  answers.emplace_back(*customer().find("Answers")->of);
  answers.back().set("BaseQuestionId", question);
  if (at) answers.back().set("DateAnswered", *at);
  return answers.back();
}

void choose(Record& answer, std::int64_t value) {
  auto& chosen = answer.at("SelectedScalePositions").records;
  chosen.emplace_back(*answer.resource->find("SelectedScalePositions")->of);
  chosen.back().set("Value", value);
}

TEST(Answered, LeavesOutWhatWasPushedAndCountsRepetitions) {
  Record record = customer_with("Email", "a@example.test");
  choose(add_answer(record, 7, {}), 1);
  choose(add_answer(record, 7, kSent), 2);
  choose(add_answer(record, 8, kSent), 3);
  choose(add_answer(record, 7, kSent + 1h), 4);
  const auto all = answered(record);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].score, 2);
  EXPECT_EQ(all[0].occurrence, 1);
  EXPECT_EQ(all[0].position, 1);
  EXPECT_EQ(all[1].question, 8);
  EXPECT_EQ(all[2].occurrence, 2);
}

TEST(Answered, CountsRepetitionsAmongManyAnswers) {
  Record record = customer_with("Email", "a@example.test");
  for (std::int64_t i = 0; i < 100; ++i)
    add_answer(record, i % 10 == 0 ? 7 : 1000 + i, kSent);
  const auto all = answered(record);
  ASSERT_EQ(all.size(), 100u);
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(all[static_cast<std::size_t>(i) * 10].occurrence, i + 1);
  EXPECT_EQ(all[99].occurrence, 1);
}

TEST(Answered, HasAScoreWhereJustOnePositionIsChosen) {
  Record record = customer_with("Email", "a@example.test");
  Record& several = add_answer(record, 7, kSent);
  choose(several, 1);
  choose(several, 2);
  add_answer(record, 8, kSent).set("Text", std::string("words"));
  Record& secret = add_answer(record, 9, kSent);
  secret.set("Text", std::string("c2VjcmV0"));
  secret.set("IsEncrypted", true);
  const auto all = answered(record);
  EXPECT_FALSE(all.at(0).score);
  EXPECT_TRUE(all.at(1).has_text);
  EXPECT_FALSE(all.at(2).has_text);
}

TEST(InvitationOf, HasEachStepOnceALaterOneIsReached) {
  const auto one = invitation_of(customer_with("SurveyFinishedDate", kSent));
  EXPECT_TRUE(one.finished && one.begun && one.opened);
  Record begun = customer_with("Email", "a@example.test");
  add_answer(begun, 7, kSent);
  EXPECT_TRUE(invitation_of(begun).begun && invitation_of(begun).opened);
  EXPECT_FALSE(invitation_of(begun).finished);
}

TEST(InvitationOf, SaysHowLongTheAnswerTook) {
  Record record = customer_with("DateInvited", kSent);
  record.set("SurveyFinishedDate", kSent + 90min);
  EXPECT_EQ(invitation_of(record).seconds_to_answer, 5400);
  record.set("SurveyFinishedDate", kSent - 1s);
  EXPECT_EQ(invitation_of(record).seconds_to_answer, std::nullopt) << "clocks differ";
}

TEST(InvitationOf, KnowsTestsAndConcepts) {
  EXPECT_TRUE(invitation_of(customer_with("IsConcept", true)).test);
  Record record = customer_with("Email", "a@example.test");
  record.at("Batch").records.emplace_back(*customer().find("Batch")->of);
  EXPECT_FALSE(invitation_of(record).test);
  record.at("Batch").records.front().set("IsTest", true);
  EXPECT_TRUE(invitation_of(record).test);
}

TEST(StageOf, IsTheFurthestThatCounts) {
  Invitation one;
  EXPECT_EQ(stage_of(one, false, {}).stage, Stage::sent);
  one.invited_at = kSent;
  EXPECT_EQ(stage_of(one, false, {}).stage, Stage::invited);
  one.opened = true;
  EXPECT_EQ(stage_of(one, false, {}).stage, Stage::opened);
  one.closed = true;
  EXPECT_EQ(stage_of(one, false, {}).stage, Stage::closed);
  one.opted_out = true;
  EXPECT_EQ(stage_of(one, false, {}).stage, Stage::opted_out);
  EXPECT_EQ(stage_of(one, true, {}).stage, Stage::bounced);
  EXPECT_EQ(stage_of(one, true, kSent).at, kSent);
  one.finished = true;
  EXPECT_EQ(stage_of(one, true, kSent).stage, Stage::finished);
}

TEST(MailDomain, IsWhatStandsBehindTheLastAt) {
  EXPECT_EQ(mail_domain("Jo@Mail.Example"), "mail.example");
  EXPECT_EQ(mail_domain("a@b@c"), "c");
  EXPECT_EQ(mail_domain("nobody"), "");
}

}  // namespace
