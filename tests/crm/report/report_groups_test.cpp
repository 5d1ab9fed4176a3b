// Texts that a collation takes for the same are lines of their own in each view and report, on
// every database.
#include <gmock/gmock.h>

#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/report/report_reading.hpp"
#include "tests/crm/report/report_fixture.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;

class GroupsOfReports : public Reports {
 protected:
  static constexpr DayRange kYear{"2026-01-01", "2026-12-31"};
};

TEST_P(GroupsOfReports, TellSegmentsApartByEachLetter) {
  std::int64_t id = 0;
  for (const char* branch : {"Köln", "Köln", "Köln", "KÖLN", "KÖLN", "Koln", "köln", "Köln "})
    save({finished(++id, kFirst, branch, 9)});
  const Texts expected = {
      {"Koln", "1"}, {"KÖLN", "2"}, {"Köln", "3"}, {"Köln ", "1"}, {"köln", "1"}};
  const auto from = [](const char* of) {
    return std::string(of) + R"( WHERE "period" = 'month' AND "segment" = 'Branch')";
  };
  EXPECT_THAT(read(from(R"(SELECT "segment_value", "transactions" FROM "survey_report_funnel")")),
              testing::UnorderedElementsAreArray(expected));
  EXPECT_THAT(read(from(R"(SELECT "segment_value", "n" FROM "survey_report_score")")),
              testing::UnorderedElementsAreArray(expected));
  EXPECT_THAT(read(from(R"(SELECT "segment_value", "n" FROM "survey_report_distribution")")),
              testing::UnorderedElementsAreArray(expected));
  Texts lines;
  for (const auto& line : ReportReading(database, shape, "").lines(kYear, {GroupBy::What::segment}))
    lines.push_back({line.name, std::to_string(line.funnel.finished)});
  EXPECT_EQ(lines, expected) << "in the order of their bytes";
}

TEST_P(GroupsOfReports, TellReasonsAndDomainsApartByEachLetter) {
  save({{1, kFirst, "A1", "", kFirst + 1h}});
  save(mapping::bouncer(), {bouncer_of("A1", "550 no", kFirst, "a@köln.example"),
                            bouncer_of("A2", "550 no", kFirst, "b@koln.example")});
  Ledger(database).set_aside("orders", State::quarantined,
                             {{"A8", "a value: Köln"}, {"A9", "a value: KÖLN"}});
  expect(R"(SELECT "mail_domain", "n" FROM "survey_report_bounce" WHERE "period" = 'week')"
         R"( ORDER BY "mail_domain")",
         {{"koln.example", "1"}, {"köln.example", "1"}});
  ReportReading reading(database, shape, "");
  EXPECT_EQ(reading.bounces(kYear).size(), 2u);
  EXPECT_EQ(reading.reasons(kYear, State::quarantined).size(), 2u);
}

// What has no customer has no segment: it is not taken for a customer without a value.
TEST_P(GroupsOfReports, TellWhatHasNoCustomerFromACustomerWithoutAValue) {
  Ledger ledger(database);
  ledger.set_aside("orders", State::suppressed, {{"A8", "opted out"}, {"A9", "opted out"}});
  save({finished(1, kFirst, "", 9), finished(2, kFirst, "Nord", 9)});
  Texts lines;
  for (const auto& line : ReportReading(database, shape, "").lines(kYear, {GroupBy::What::segment}))
    lines.push_back(
        {line.known ? "known" : "not known", line.name, std::to_string(line.funnel.transactions)});
  EXPECT_EQ(lines, (Texts{{"not known", "", "2"}, {"known", "", "1"}, {"known", "Nord", "1"}}));
  const auto all = ReportReading(database, shape, "").lines(kYear, {});
  ASSERT_EQ(all.size(), 1u) << "one line where there are no segments";
  EXPECT_EQ(all.front().funnel.transactions, 4);
}

TEST_P(GroupsOfReports, PartByLanguageAndByTwoThingsAtOnce) {
  Ledger(database).set_aside("orders", State::suppressed, {{"A9", "opted out"}});
  std::int64_t id = 0;
  for (const auto& [branch, language] : std::vector<std::pair<const char*, const char*>>{
           {"Nord", "nl"}, {"Nord", "nl"}, {"Nord", "de"}, {"", "de"}, {"Nord", ""}}) {
    auto told = finished(++id, kFirst, branch, 9);
    told.language = language;
    save({told});
  }
  ReportReading reading(database, shape, "");
  const auto told = [](const std::vector<CountedLine>& lines) {
    Texts texts;
    for (const auto& line : lines) {
      std::int64_t answers = 0;
      for (const auto& scores : line.scores)
        for (const auto& [score, number] : scores)
          answers += number;
      texts.push_back({line.known ? "known" : "not known", line.name, line.second.value_or("-"),
                       std::to_string(line.funnel.transactions), std::to_string(answers)});
    }
    return texts;
  };
  EXPECT_EQ(told(reading.lines(kYear, {GroupBy::What::language})),
            (Texts{{"not known", "", "-", "1", "0"},
                   {"known", "", "-", "1", "1"},
                   {"known", "de", "-", "2", "2"},
                   {"known", "nl", "-", "2", "2"}}));
  EXPECT_EQ(told(reading.lines(kYear, {GroupBy::What::language}, {GroupBy::What::segment})),
            (Texts{{"not known", "", "", "1", "0"},
                   {"known", "", "Nord", "1", "1"},
                   {"known", "de", "", "1", "1"},
                   {"known", "de", "Nord", "1", "1"},
                   {"known", "nl", "Nord", "2", "2"}}));
  const auto by_push = told(reading.lines(kYear, {GroupBy::What::push}, {GroupBy::What::segment}));
  EXPECT_THAT(by_push, testing::Contains(Texts::value_type{"not known", "orders", "", "1", "0"}));
}

TEST_P(GroupsOfReports, HaveTheTextsOfDetractorsFirst) {
  auto& question = shape.report.questions.emplace_back();
  question.id = 1200;
  question.kind = config::Report::Question::Kind::nps;
  std::int64_t id = 0;
  for (const std::int64_t score : {10, 6, 0, 7}) {
    auto told = finished(++id, kFirst + 1h * id, "Nord", score);
    told.answers.push_back({1300, {}, std::to_string(score), *told.finished, "Why?"});
    save({told});
  }
  Texts texts;
  for (const auto& text : ReportReading(database, shape, "").texts(kYear, 3))
    texts.push_back({text.text, std::to_string(text.recommends.value_or(-1))});
  EXPECT_EQ(texts, (Texts{{"0", "0"}, {"6", "6"}, {"7", "7"}}));
}

TEST_P(GroupsOfReports, CountTheAnswersThatAreEncrypted) {
  auto told = finished(1, kFirst, "Nord", 9);
  told.answers.push_back({1300, {}, "x7f", kFirst + 3h, "Why?", true});
  told.answers.push_back({1301, {}, "fine", kFirst + 3h, "What else?"});
  told.answers.push_back({1302, {}, "x7f", {}, "Pushed", true});
  save({told});
  ReportReading reading(database, shape, "");
  EXPECT_EQ(reading.encrypted(kYear), 1);
  EXPECT_EQ(reading.encrypted({"2026-12-01", "2026-12-31"}), 0);
  EXPECT_EQ(reading.texts(kYear, 50).size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Databases, GroupsOfReports, every_database(), server_name);

}  // namespace
}  // namespace surveybridge::crm
