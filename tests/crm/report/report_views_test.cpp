// The views for reports, on every database, against what the records say.
#include "connectors/crm/report/report_views.hpp"

#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/pulled/record_store.hpp"
#include "tests/crm/report/report_fixture.hpp"
#include "tests/support/forwarding_database.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Row = std::vector<std::string>;

class ReportViews : public Reports {};

TEST_P(ReportViews, HaveARowForEachCustomerWithTheStageItHasReached) {
  Told invited{2, kFirst, "A2", "North", kFirst + 1h};
  Told opened = invited, out = invited, test = invited;
  opened.id = 3, opened.key = "A3", opened.opened = kFirst + 2h;
  out.id = 4, out.key = "A4", out.opted_out = kFirst + 5h;
  test.id = 5, test.key = "A5", test.test = true;
  save({finished(1, kFirst, "South", 9), invited, opened, out, test});
  expect(R"(SELECT "customer_id", "push", "key", "stage", "stage_at", "seconds_to_answer",)"
         R"( "mail_domain", "test", "Branch", "How likely?")"
         R"( FROM "survey_report_customer" ORDER BY "customer_id")",
         {{"1", "orders", "A1", "finished", "2026-11-02T15:00:00", "7200", "mail.example", "0",
           "South", "9"},
          {"2", "orders", "A2", "invited", "2026-11-02T13:00:00", "-", "mail.example", "0", "North",
           "-"},
          {"3", "orders", "A3", "opened", "2026-11-02T14:00:00", "-", "mail.example", "0", "North",
           "-"},
          {"4", "orders", "A4", "opted out", "2026-11-02T17:00:00", "-", "mail.example", "0",
           "North", "-"},
          {"5", "orders", "A5", "invited", "2026-11-02T13:00:00", "-", "mail.example", "1", "North",
           "-"}});
}

TEST_P(ReportViews, CountEachTransactionInOneWeekAndOneMonth) {
  database.time = day_at(11, 15, 23);  // a Sunday, and Monday in Amsterdam
  Told again = finished(6, kFirst, "South", 2);
  again.key = "A1", again.second = true;
  Told test = finished(7, kFirst, "South", 2);
  test.test = true;
  Told young{3, kSecond, "A3", ""};
  young.invited = Instant{std::chrono::sys_days{std::chrono::year{2099} / 1 / 1}};
  Ledger ledger(database);
  ledger.claim({"b1", "orders", "one"}, {{"A1", "jo1@mail.example", kFirst}});
  ledger.set_aside("orders", State::suppressed, {{"A8", "opted out"}});
  ledger.set_aside("orders", State::quarantined, {{"A9", "no address"}});
  save({finished(1, kFirst, "South", 9),
        {2, kFirst, "A2", "North", kFirst + 1h},
        young,
        again,
        test});
  expect(R"(SELECT "period", "starts", "transactions", "suppressed", "quarantined", "sent",)"
         R"( "invited", "opened", "begun", "finished", "due", "due_finished")"
         R"( FROM "survey_report_funnel")"
         R"( WHERE "push" = 'orders' AND "segment" = 'all' ORDER BY "period", "starts")",
         {{"month", "2026-11-01", "5", "1", "1", "3", "3", "1", "1", "1", "2", "1"},
          {"week", "2026-11-02", "2", "0", "0", "2", "2", "1", "1", "1", "2", "1"},
          {"week", "2026-11-09", "1", "0", "0", "1", "1", "0", "0", "0", "0", "0"},
          {"week", "2026-11-16", "2", "1", "1", "0", "0", "0", "0", "0", "0", "0"}});
  expect(R"(SELECT "segment_value", "transactions", "finished" FROM "survey_report_funnel")"
         R"( WHERE "period" = 'month' AND "segment" = 'Branch' ORDER BY "segment_value")",
         {{"", "3", "0"}, {"North", "1", "0"}, {"South", "1", "1"}});
  expect(R"(SELECT "key", "state", "reason" FROM "survey_report_suppressed" ORDER BY "key")",
         {{"A8", "suppressed", "opted out"}, {"A9", "quarantined", "no address"}});
}

// The service may quote the row.
TEST_P(ReportViews, ShowNoWordsOfTheService) {
  save(std::vector<Told>{});
  Ledger(database).set_aside("orders", State::quarantined,
                             {{"A9", "refused by the service: jo@example.test is bad"}});
  expect(R"(SELECT "reason" FROM "survey_report_suppressed")", {{"refused by the service"}});
}

TEST_P(ReportViews, BeginWeeksOnTheDayThatIsConfigured) {
  using Day = config::Report::Day;
  shape.report.week_starts = Day::sunday;
  save({finished(1, day_at(11, 1), "", 9), finished(2, day_at(11, 7), "", 9),
        finished(3, day_at(11, 8), "", 9)});
  const std::string weeks = R"(SELECT "starts", "transactions" FROM "survey_report_funnel")";
  expect_by("week", weeks, {{"2026-11-01", "2"}, {"2026-11-08", "1"}});
  shape.report.week_starts = Day::wednesday;
  save({finished(4, day_at(11, 4), "", 9)});
  expect_by("week", weeks, {{"2026-10-28", "1"}, {"2026-11-04", "3"}});
}

// 00:30 of the first of November in Amsterdam is October's last day in UTC; in summer two hours.
TEST_P(ReportViews, CountDaysByTheCrmsClock) {
  save({finished(1, day_at(10, 31, 23), "", 9), finished(2, day_at(10, 31, 22), "", 9),
        finished(3, day_at(9, 30, 22), "", 9), finished(4, day_at(9, 30, 21), "", 9)});
  expect_by("month", R"(SELECT "starts", "transactions" FROM "survey_report_funnel")",
            {{"2026-09-01", "1"}, {"2026-10-01", "2"}, {"2026-11-01", "1"}});
}

TEST_P(ReportViews, GiveTheNetPromoterScoreWithItsInterval) {
  shape.report.questions = {{{}, 1200, "Recommend", config::Report::Question::Kind::nps, {}, {}}};
  std::vector<Told> customers;
  const std::vector<std::int64_t> scores = {10, 9, 9, 8, 7, 6, 0, 10, 10, 11};  // 11 is none
  for (std::size_t i = 0; i < scores.size(); ++i)
    customers.push_back(finished(static_cast<std::int64_t>(i) + 1, kFirst,
                                 i % 2 == 0 ? "South" : "North", scores[i]));
  save(customers);
  // 5 promoters and 2 detractors of 9. The interval has 3 answers more: 0.75 on either side.
  const double middle = 100.0 * 3 / 12;
  const double half = 195.9963985 * std::sqrt(((5.75 + 2.75) / 12 - 1.0 / 16) / 12);
  expect_by(
      "month",
      R"(SELECT "question", "kind", "n", "promoters", "passives", "detractors",)"
      R"( "satisfied", "mean", "score", "score_from", "score_to" FROM "survey_report_score")",
      {{"Recommend", "nps", "9", "5", "2", "2", "-", fmt::format("{:.4f}", 69.0 / 9), "33.3333",
        fmt::format("{:.4f}", middle - half), fmt::format("{:.4f}", middle + half)}});
  expect(R"(SELECT "segment_value", "n" FROM "survey_report_score")"
         R"( WHERE "period" = 'week' AND "segment" = 'Branch' ORDER BY "segment_value")",
         {{"North", "4"}, {"South", "5"}});
  expect_by("month", R"(SELECT "score", "n" FROM "survey_report_distribution")",
            {{"0", "1"}, {"6", "1"}, {"7", "1"}, {"8", "1"}, {"9", "2"}, {"10", "3"}});
}

TEST_P(ReportViews, GiveSharesWithWilsonsIntervalAndMeansWithStudents) {
  using Kind = config::Report::Question::Kind;
  shape.report.questions = {{{}, 1, "Satisfied", Kind::csat, {}, {}},
                            {{}, 2, "Effort", Kind::ces, {}, {}},
                            {{}, 3, "Mean", Kind::mean, {}, {}}};
  std::vector<Told> customers;
  for (std::int64_t id = 1; id <= 5; ++id) {
    Told told = finished(id, kFirst, "", 0);
    told.answers = {{1, id, "", kFirst, "a"}, {2, id + 2, "", kFirst, "b"}, {3, id, "", kFirst}};
    customers.push_back(told);
  }
  save(customers);
  // Wilson for 2 and 3 of 5 (scipy.stats.binomtest: 0.11762, 0.76928; 0.23072, 0.88238); the mean
  // 3 with t(0.975, 4) = 2.776445 (here 2.7694 by its expansion) times sqrt(2.5 / 5).
  const Texts rows =
      read(R"(SELECT "question", "n", "satisfied", "score", "score_from", "score_to")"
           R"( FROM "survey_report_score" WHERE "period" = 'week' AND "segment" = 'all')"
           R"( ORDER BY "question" DESC)");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(Row(rows[0].begin(), rows[0].begin() + 4), (Row{"Satisfied", "5", "2", "40.0000"}));
  EXPECT_NEAR(std::stod(rows[0][4]), 11.7621, 1e-3);
  EXPECT_NEAR(std::stod(rows[0][5]), 76.9276, 1e-3);
  EXPECT_EQ(Row(rows[1].begin(), rows[1].begin() + 4), (Row{"Mean", "5", "-", "3.0000"}));
  EXPECT_NEAR(std::stod(rows[1][5]) - 3, 2.776445 * std::sqrt(0.5), 0.006);
  EXPECT_EQ(Row(rows[2].begin(), rows[2].begin() + 4), (Row{"Effort", "5", "3", "60.0000"}));
  EXPECT_NEAR(std::stod(rows[2][4]), 23.0724, 1e-3);
}

TEST_P(ReportViews, LeaveAScoreOfFewAnswersOut) {
  shape.report.least = 3;
  save({finished(1, kFirst, "", 9), finished(2, kFirst, "", 8), finished(3, kSecond, "", 8),
        finished(4, kSecond, "", 8), finished(5, kSecond, "", 8)});
  expect_by("week",
            R"(SELECT "starts", "n", "mean", "score", "score_to" FROM "survey_report_score")",
            {{"2026-11-02", "2", "-", "-", "-"}, {"2026-11-09", "3", "8.0000", "8.0000", "-"}});
}

TEST_P(ReportViews, LeaveOutAnswersThatWerePushedAndTestsAndSecondFeedback) {
  Told told = finished(1, kFirst, "", 9);
  told.answers.push_back({1200, 1, "pushed", {}});
  Told again = finished(2, kFirst, "", 1), test = finished(3, kFirst, "", 1);
  again.second = true;
  test.test = true;
  save({told, again, test});
  expect_by("week", R"(SELECT "n", "mean" FROM "survey_report_score")", {{"1", "9.0000"}});
  EXPECT_THAT(read(R"(SELECT "text" FROM "survey_report_text")"), IsEmpty());
}

TEST_P(ReportViews, CountAScoreOfASurveyThatIsNotFinished) {
  Told begun = finished(1, kFirst, "", 9);
  begun.finished = {};
  save({begun, finished(2, kFirst, "", 7)});
  expect_by("week", R"(SELECT "n" FROM "survey_report_score")", {{"2"}});
  expect_by("week", R"(SELECT "begun", "finished" FROM "survey_report_funnel")", {{"2", "1"}});
}

TEST_P(ReportViews, ShowABounceWhicheverListComesFirst) {
  const auto bounce = [](const std::string& key) {
    return bouncer_of(key, "550 5.1.1 no such user", kFirst + 2h, "x@Mail.Example");
  };
  save({{1, kFirst, "A1", "", kFirst + 1h}});
  save(mapping::bouncer(), {bounce("A1"), bounce("A2")});
  save({{2, kFirst, "A2", "", kFirst + 1h}});
  expect(R"(SELECT "stage", "bounced_at" FROM "survey_report_customer" ORDER BY "customer_id")",
         {{"bounced", "2026-11-02T14:00:00"}, {"bounced", "2026-11-02T14:00:00"}});
  expect(R"(SELECT "push", "starts", "kind", "mail_domain", "n" FROM "survey_report_bounce")"
         R"( WHERE "period" = 'week')",
         {{"orders", "2026-11-02", "hard", "mail.example", "2"}});
  expect_by("month", R"(SELECT "bounced", "due" FROM "survey_report_funnel")", {{"2", "0"}});
}

// The service sends a mail again whose first attempt has bounced softly.
TEST_P(ReportViews, CountWhoHasFinishedAsDelivered) {
  Told again = finished(1, kFirst, "", 9);
  Told never{2, kFirst, "A2", "", kFirst + 1h};
  save({again, never, {3, kFirst, "A3", "", kFirst + 1h}});
  save(mapping::bouncer(), {bouncer_of("A1", "452 4.2.2 mailbox full", kFirst + 1h, "a@x.test"),
                            bouncer_of("A2", "452 4.2.2 mailbox full", kFirst + 1h, "b@x.test")});
  expect_by("month", R"(SELECT "bounced", "due", "due_finished" FROM "survey_report_funnel")",
            {{"2", "2", "1"}});
}

TEST_P(ReportViews, ShowTheBounceOfSecondFeedbackWithItAlone) {
  const auto bounce = [](const std::string& key, Instant at) {
    return bouncer_of(key, "452 4.2.2 mailbox full", at, "x@mail.example");
  };
  const auto second_of = [](std::int64_t id, const std::string& key) {
    Told again{id, kFirst, key, "", kSecond};
    again.second = true;
    return again;
  };
  save({finished(1, kFirst, "", 9), second_of(11, "A1"), finished(2, kFirst, "", 9)});
  // Of A2 each mail has bounced, the first one before the answer.
  save(mapping::bouncer(),
       {bounce("A1", kSecond + 1h), bounce("A2", kFirst + 1h), bounce("A2", kSecond + 1h),
        bounce("A3", kSecond + 1h), bounce("A4", kFirst + 1h)});
  save({second_of(12, "A2"), finished(3, kFirst, "", 9), second_of(13, "A3"), second_of(14, "A4")});
  const std::string stages = R"(SELECT "customer_id", "stage", "bounced_at")"
                             R"( FROM "survey_report_customer" ORDER BY "customer_id")";
  const Texts expected = {{"1", "finished", "-"},
                          {"2", "finished", "2026-11-02T13:00:00"},
                          {"3", "finished", "-"},
                          {"11", "bounced", "2026-11-09T13:00:00"},
                          {"12", "bounced", "2026-11-09T13:00:00"},
                          {"13", "bounced", "2026-11-09T13:00:00"},
                          {"14", "invited", "-"}};
  expect(stages, expected);
  renew(mapping::customer());
  renew(mapping::bouncer());
  expect(stages, expected);
  expect_by("month", R"(SELECT "bounced", "due", "due_finished" FROM "survey_report_funnel")",
            {{"1", "3", "3"}});
}

TEST_P(ReportViews, FindTheCustomerOfARatingByItsData) {
  save({finished(1, kFirst, "", 9)});
  save(mapping::rating(), {rating_of(70, "A1"), rating_of(71, ""), rating_of(72, "A99")});
  expect(R"(SELECT "rating_id", "push", "key", "customer_id" FROM "survey_report_rating")"
         R"( ORDER BY "rating_id")",
         {{"70", "orders", "A1", "1"}, {"71", "-", "-", "-"}, {"72", "orders", "A99", "-"}});
  expect(R"(SELECT "rating_id" FROM "survey_report_customer")", {{"70"}});
}

TEST_P(ReportViews, ShowWhoWaitsToBeContacted) {
  Told told = finished(1, kFirst, "", 9);
  told.contact = true;
  save({told, finished(2, kFirst, "", 9)});
  const Texts rows = read(R"(SELECT "customer_id", "is_open", "requested_at", "age_days")"
                          R"( FROM "survey_report_contact")");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(Row(rows[0].begin(), rows[0].begin() + 3), (Row{"1", "1", "2026-11-02T15:00:00"}));
  EXPECT_GE(std::stoi(rows[0][3]), 20);
}

// The note of whoever looks after a customer is an activity.
TEST_P(ReportViews, ShowSinceWhenACustomerWaitsWhateverHappensMeanwhile) {
  Told told{1, kFirst, "A1", "", kFirst + 1h};
  told.contact = true;
  for (const auto active : {kFirst + 5h, kSecond}) {
    auto record = record_of(told);
    record.set("LastActivityDate", active);
    save(mapping::customer(), {record});
    expect(R"(SELECT "requested_at" FROM "survey_report_contact")", {{"2026-11-02T13:00:00"}});
  }
}

TEST_P(ReportViews, ShowTextsWithTheirQuestion) {
  Told told = finished(1, kFirst, "", 9);
  told.answers[0].text = "it's \"fine\"";
  told.answers.push_back({1300, {}, "nothing", kFirst, "Why?"});
  save({told});
  expect(R"(SELECT "key", "day", "question", "score", "text" FROM "survey_report_text")"
         R"( ORDER BY "question")",
         {{"A1", "2026-11-02", "How likely?", "9", "it's \"fine\""},
          {"A1", "2026-11-02", "Why?", "-", "nothing"}});
}

TEST_P(ReportViews, FollowAChangeOfTheSegments) {
  shape.report.segments = {};
  save({finished(1, kFirst, "South", 9), finished(2, kFirst, "North", 7)});
  renew(mapping::customer());
  shape.report.segments = {"Branch"};
  renew(mapping::customer());
  expect(R"(SELECT "segment_value", "mean" FROM "survey_report_score" WHERE "period" = 'week')"
         R"( AND "segment" = 'Branch' ORDER BY "segment_value")",
         {{"North", "7.0000"}, {"South", "9.0000"}});
}

// What an earlier version has stored, without the tables for reports.
TEST_P(ReportViews, TakeInWhatWasStoredBeforeThem) {
  std::vector<mapping::Record> records;
  for (std::int64_t id = 1; id <= 450; ++id)
    records.push_back(record_of(finished(id, kFirst, "South", id % 11)));
  PullStore earlier(database, mapping::customer(), {});
  page(earlier, records);
  EXPECT_EQ(read(R"(SELECT COUNT(*) FROM "survey_invitation")"), (Texts{{"0"}}));
  renew(mapping::customer());
  expect_by("week", R"(SELECT "n" FROM "survey_report_score")", {{"450"}});
}

TEST_P(ReportViews, ForgetWithTheRecord) {
  save({finished(1, kFirst, "South", 9), finished(2, kFirst, "South", 8)});
  erase(database, mapping::customer(), {Value{std::int64_t{1}}});
  expect(R"(SELECT "customer_id" FROM "survey_report_customer")", {{"2"}});
  expect(R"(SELECT COUNT(*) FROM "survey_invitation")", {{"1"}});
}

TEST_P(ReportViews, ShowWhatTheRecordSaysNow) {
  save({{1, kFirst, "A1", "South", kFirst + 1h}});
  save({finished(1, kFirst, "South", 9)});
  expect(R"(SELECT "stage", "How likely?" FROM "survey_report_customer")", {{"finished", "9"}});
}

// The pull keeps the store for as long as it runs, and another job reads the data columns.
TEST_P(ReportViews, ShowADataColumnThatComesWhileThePullRuns) {
  PullStore store = new_store();
  page(store, {record_of(finished(1, kFirst, "South", 9))});
  save(mapping::data_column(),
       {data_column_of(1, "Order"), data_column_of(2, "Branch"), data_column_of(3, "Repair")});
  mapping::Record other = record_of(finished(2, kFirst, "", 3));
  auto& data = other.at("Data").records.front();
  data.set("CustomerDataColumnId", std::int64_t{3});
  data.set("Name", std::string("Repair"));
  data.set("Value", std::string("R2"));
  page(store, {other});
  expect(R"(SELECT "Repair" FROM "survey_report_customer" WHERE "customer_id" = 2)", {{"R2"}});
}

TEST_P(ReportViews, ShowADataColumnThatNobodyHasAfterSomePages) {
  PullStore store = new_store();
  const auto one = record_of(finished(1, kFirst, "South", 9));
  page(store, {one});
  save(mapping::data_column(),
       {data_column_of(1, "Order"), data_column_of(2, "Branch"), data_column_of(3, "Repair")});
  for (int pages = 0; pages < 50; ++pages)
    page(store, {one});
  expect(R"(SELECT COUNT("Repair") FROM "survey_report_customer")", {{"0"}});
}

TEST_P(ReportViews, StandInNobodysWay) {
  database.execute({"CREATE VIEW survey_report_score AS SELECT 1 AS theirs", {}});
  PullStore store = new_store();
  page(store, {record_of(finished(1, kFirst, "South", 9))});
  EXPECT_THAT(store.report_problem(), testing::HasSubstr("survey_report_score"));
  EXPECT_EQ(read(R"(SELECT "theirs" FROM "survey_report_score")"), (Texts{{"1"}}));
  EXPECT_EQ(read(R"(SELECT COUNT(*) FROM "survey_customer")"), (Texts{{"1"}}))
      << "the page is stored all the same";
}

TEST_P(ReportViews, MayBeMadeByTwoAtOnce) {
  // Another instance makes the views after this one has read that there are none.
  bool made = false;
  support::LookedAtDatabase second(database, [&](const std::string& sql) {
    if (sql == traits(database.dialect()).objects && !std::exchange(made, true))
      make_views(database, shape, {});
  });
  EXPECT_NO_THROW(make_views(second, shape, {}));
  EXPECT_THAT(read(R"(SELECT * FROM "survey_report_funnel")"), IsEmpty());
}

TEST_P(ReportViews, AreThereWithoutACustomer) {
  renew(mapping::customer());
  for (const char* view : {"customer", "funnel", "score", "distribution", "bounce", "mailed",
                           "contact", "suppressed", "rating", "text"}) {
    EXPECT_THAT(read("SELECT * FROM \"survey_report_" + std::string(view) + "\""), IsEmpty())
        << view;
  }
}

TEST_P(ReportViews, TellTwoPushesWithTheSameKeyApart) {
  save(mapping::data_column(),
       {data_column_of(1, "Order"), data_column_of(2, "Branch"), data_column_of(3, "Repair")});
  shape.correlates.push_back({"repairs", "Repair"});
  mapping::Record repair = record_of(finished(2, kFirst, "", 3));
  auto& data = repair.at("Data").records.front();  // the key, "A2"
  data.set("CustomerDataColumnId", std::int64_t{3});
  data.set("Name", std::string("Repair"));
  data.set("Value", std::string("A1"));
  save(mapping::customer(), {record_of({1, kFirst, "A1", "", kFirst + 1h}), repair});
  save(mapping::bouncer(), {bouncer_of("A1", "550 5.1.1 no such user", kFirst + 2h, "x@y.test")});
  Ledger ledger(database);
  ledger.claim({"b1", "orders", "one"}, {{"A1", "jo1@mail.example", kFirst}});
  ledger.claim({"b2", "repairs", "one"}, {{"A1", "jo2@mail.example", kFirst}});
  expect(R"(SELECT "push", "key", "stage" FROM "survey_report_customer" ORDER BY "push")",
         {{"orders", "A1", "bounced"}, {"repairs", "A1", "finished"}});
  expect_by("week",
            R"(SELECT "push", "transactions", "finished", "bounced" FROM "survey_report_funnel")",
            {{"orders", "1", "0", "1"}, {"repairs", "1", "1", "0"}});
}

TEST_P(ReportViews, CountNobodyWhereAllAreTests) {
  Told test = finished(1, kFirst, "South", 9);
  test.test = true;
  save({test});
  for (const char* view : {"funnel", "score", "distribution", "mailed", "contact", "text"})
    EXPECT_THAT(read("SELECT * FROM \"survey_report_" + std::string(view) + "\""), IsEmpty())
        << view;
  expect(R"(SELECT "test" FROM "survey_report_customer")", {{"1"}});
}

INSTANTIATE_TEST_SUITE_P(Databases, ReportViews, every_dialect(), server_name);

}  // namespace
}  // namespace surveybridge::crm
