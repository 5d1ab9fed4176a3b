// The figures of a report: what is shown, what is not, and what is called a change.
#include "daemon/report/figures.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <gmock/gmock.h>

#include "tests/daemon/report/sample_report.hpp"

namespace {

using namespace surveybridge::daemon;
using surveybridge::mapping::Distribution;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const ReportTable& table_in(const Figures& figures, const std::string& id) {
  const auto table = std::ranges::find(figures.tables, id, &ReportTable::id);
  if (table == figures.tables.end()) throw std::out_of_range(id);
  return *table;
}

// The cells of a row as people read them.
std::vector<std::string> texts_of(const std::vector<ReportCell>& row) {
  std::vector<std::string> texts;
  for (const auto& cell : row)
    texts.push_back(cell.text);
  return texts;
}

// A net promoter score of `promoters` and `detractors`, before and now, and 312 of 1040 now.
SurveyReport brief_report(Distribution now, Distribution before) {
  SurveyReport report = sample::nothing();
  report.questions = {{"Recommend", "", QuestionKind::nps, 0, 10}};
  report.total.funnel.transactions = 1200;
  report.total.funnel.due = 1040;
  report.total.funnel.due_finished = 312;
  report.total.scores = {std::move(now)};
  report.before.name = "2026-06-08 to 2026-08-30";
  report.before.funnel.due = 1000;
  report.before.funnel.due_finished = 290;
  report.before.scores = {std::move(before)};
  return report;
}

TEST(Figures, SayHowLongAnAnswerTookInAUnitThatFits) {
  auto report = brief_report({{10, 180}}, {{10, 170}});
  const auto said = [&](std::int64_t seconds) {
    report.answer_time = {312, seconds * 312};
    return figures_of(report).verdict.back();
  };
  EXPECT_EQ(said(59),
            "An answer came less than a minute after the invitation, on average (312 answers).");
  EXPECT_THAT(said(1800), HasSubstr(" came 30 minutes after"));
  EXPECT_THAT(said(9000), HasSubstr(" came 2.5 hours after"));
  EXPECT_THAT(said(458'640), HasSubstr(" came 5.3 days after"));
}

TEST(Figures, SayTheVerdictInSentences) {
  const auto figures =
      figures_of(brief_report({{10, 180}, {8, 81}, {3, 51}}, {{10, 170}, {8, 80}, {3, 55}}));
  EXPECT_THAT(
      figures.verdict,
      ElementsAre(
          "312 of 1,040 who could have answered did (30\u00a0%, 27–33\u00a0%).",
          "Recommend: net promoter score 41 (33–49), of 312 answers.",
          "Against the time before (2026-06-08 to 2026-08-30) the numbers show no clear change."));
}

ReportLine month_line(const std::string& day, std::int64_t due, std::int64_t finished) {
  ReportLine line;
  line.name = day;
  line.funnel.invited = line.funnel.due = due;
  line.funnel.due_finished = finished;
  line.scores.resize(1);
  return line;
}

TEST(Figures, SayWhichPeriodStandsOutOfTheWhole) {
  auto report = brief_report({}, {});
  report.period = "month";
  report.periods = {month_line("2026-06-01", 400, 140), month_line("2026-07-01", 100, 10),
                    month_line("2026-08-01", 540, 162)};
  EXPECT_THAT(
      figures_of(report).verdict,
      Contains("Jul 2026 stands out in the response rate: 10\u00a0% (6–17\u00a0%), of 100."));
  report.periods[1].funnel.due_finished = 24;
  EXPECT_THAT(figures_of(report).verdict, Each(Not(HasSubstr("stands out"))));
}

TEST(Figures, ArePreliminaryWhereLessThanHalfOfAPeriodCountsYet) {
  auto report = brief_report({}, {});
  report.period = "month";
  report.periods = {month_line("2026-07-01", 500, 150), month_line("2026-08-01", 40, 1)};
  report.periods[1].funnel.invited = 110;
  const auto figures = figures_of(report);
  EXPECT_FALSE(figures.measures[0].periods[0].so_far);
  EXPECT_TRUE(figures.measures[0].periods[1].so_far);
  EXPECT_THAT(texts_of(table_in(figures, "periods_response_rate").rows[1]),
              Contains(HasSubstr("% so far")));
  EXPECT_THAT(figures.verdict, Each(Not(HasSubstr("stands out"))));
  report.periods[1].funnel.bounced = 40;
  EXPECT_FALSE(figures_of(report).measures[0].periods[1].so_far) << "40 of 70 count";
}

TEST(Figures, HaveNoLineOfWhatHasNoCustomerWhereThereIsNone) {
  auto report = brief_report({}, {});
  report.segment = "Branch";
  report.segments = {month_line("North", 100, 30), ReportLine{}};
  report.segments[1].known = false;
  EXPECT_THAT(figures_of(report).segments, SizeIs(1));
  report.segments[1].funnel.suppressed = 1;
  EXPECT_THAT(figures_of(report).segments, SizeIs(2));
}

TEST(Figures, SayAChangeOnlyWhereTheIntervalExcludesZero) {
  const auto figures =
      figures_of(brief_report({{10, 180}, {8, 81}, {3, 51}}, {{10, 80}, {8, 81}, {3, 151}}));
  EXPECT_THAT(figures.verdict.back(),
              HasSubstr("the numbers show: Recommend is up 64\u00a0points (51–76)."));
  EXPECT_THAT(figures.verdict.back(), Not(HasSubstr("Response")));
  const Move& rate = figures.measures[0].move;
  EXPECT_TRUE(rate.comparable);
  EXPECT_FALSE(rate.is_change);
  EXPECT_EQ(rate.text, "no clear change (-3 to 5\u00a0points)");
}

TEST(Figures, DownIsSaidWithoutASign) {
  const auto figures =
      figures_of(brief_report({{10, 80}, {8, 81}, {3, 151}}, {{10, 180}, {8, 81}, {3, 51}}));
  EXPECT_EQ(figures.measures[1].move.text, "down 64\u00a0points (51–76)");
}

TEST(Figures, WithTooFewAnswersAreNotShown) {
  auto report = brief_report({{10, 9}}, {{10, 300}});
  const auto nine = figures_of(report);
  EXPECT_FALSE(nine.measures[1].total.value);
  EXPECT_EQ(nine.measures[1].total.text, "fewer than 10 answers");
  EXPECT_EQ(nine.measures[1].total.n, 9);
  EXPECT_EQ(nine.measures[1].total.interval_text, "");
  EXPECT_FALSE(nine.measures[1].move.comparable);
  EXPECT_THAT(nine.measures[1].spread.bars, IsEmpty()) << "few answers show single customers";
  EXPECT_EQ(nine.verdict[1], "Recommend: fewer than 10 answers (9), so no score.");
  report.total.scores = {{{10, 10}}};
  const auto ten = figures_of(report);
  EXPECT_EQ(ten.measures[1].total.value, 100);
  EXPECT_THAT(ten.measures[1].spread.bars, SizeIs(11));
  report.least = -5;
  report.total.scores = {{}};
  EXPECT_EQ(figures_of(report).measures[1].total.text, "no answers");
}

TEST(Figures, TheResponseRateIsOfWhatIsDueAndOfNothingElse) {
  auto report = brief_report({}, {});
  report.total.funnel.invited = 5000;
  report.total.funnel.finished = 4000;
  const Estimate rate = figures_of(report).measures[0].total;
  EXPECT_EQ(rate.value, 30);
  EXPECT_EQ(rate.n, 1040);
  EXPECT_EQ(rate.part, 312);
  report.total.funnel.due = 0;
  report.total.funnel.sent = 5100;
  report.answer_days = 14;
  EXPECT_EQ(figures_of(report).verdict[0],
            "So far 5,100 transactions were sent, 5,000 invited and 4,000 answered. No delivered "
            "invitation is 14 days old yet, so there is no response rate.");
  report.total.funnel.due = 9;
  report.total.funnel.due_finished = 3;
  EXPECT_EQ(figures_of(report).verdict[0],
            "3 of 9 who could have answered did: too few for a rate.");
}

// A walk by the date of the answer shows nobody who has not answered.
TEST(Figures, TheResponseRateSaysHowManyAreNotPulled) {
  auto report = brief_report({}, {});
  report.total.funnel.due = 30;
  report.total.funnel.due_finished = 30;
  report.total.funnel.sent = 100;
  report.total.funnel.unlisted = 70;
  EXPECT_EQ(
      figures_of(report).verdict[0],
      "30 of 30 who could have answered did (100\u00a0%, 89–100\u00a0%). 70 transactions that "
      "were sent are not pulled yet, or removed since: with them the rate may be lower.");
  for (const std::string& form :
       {report_text(report, 200), report_html(report), report_json(report)})
    EXPECT_THAT(form, HasSubstr("70 transactions that were sent are not pulled yet"));
  report.total.funnel.due = 3;
  report.total.funnel.due_finished = 3;
  report.total.funnel.unlisted = 1;
  EXPECT_EQ(
      figures_of(report).verdict[0],
      "3 of 3 who could have answered did: too few for a rate. 1 transaction that was sent is "
      "not pulled yet, or removed since: with them the rate may be lower.");
}

// In sentences a person reads no key of the configuration.
TEST(Figures, NameNoSettingInTheirSentences) {
  for (const auto& report : {sample::quarter(), sample::nothing(), sample::one_customer()}) {
    const auto figures = figures_of(report);
    for (const auto& sentences : {figures.verdict, figures.notes})
      EXPECT_THAT(sentences, Each(Not(testing::ContainsRegex("\\[[a-z.]+\\]|[a-z]_[a-z]|`keep`"))));
  }
}

// Also where nothing was sent in this time.
TEST(Figures, SayWhatTheBrakeHolds) {
  auto report = sample::nothing();
  report.held = {{"orders", "the first run", 1170}, {"repairs", "a spike", {}}, {"c", "why", 1}};
  const auto figures = figures_of(report);
  EXPECT_THAT(
      figures.verdict,
      ElementsAre("Nothing was sent and nothing was answered in this time.",
                  "The brake holds orders (the first run): 1,170 rows wait for "
                  "`surveybridge release orders` and are in no figure here.",
                  "The brake holds repairs (a spike): rows that could not be counted wait for "
                  "`surveybridge release repairs` and are in no figure here.",
                  "The brake holds c (why): 1 row waits for `surveybridge release c` and is in no "
                  "figure here."));
  EXPECT_THAT(figures_of(sample::quarter()).notes,
              testing::Contains(HasSubstr("also not among those that wait")));
}

TEST(Figures, NameTheSegmentOfWhatHasNoCustomer) {
  auto report = sample::quarter();
  const auto notes = figures_of(report).notes;
  EXPECT_THAT(notes, Each(Not(HasSubstr("(not known)"))));
  report.segments.push_back({"", {.transactions = 7, .suppressed = 7}, {{}, {}, {}, {}}, false});
  report.segments.push_back({"", {.transactions = 3, .sent = 3}, {{}, {}, {}, {}}, true});
  const auto figures = figures_of(report);
  const auto named = [&](const std::string& name) {
    return std::ranges::find(figures.segments, name, &ReportLine::name)->funnel.transactions;
  };
  EXPECT_EQ(named("(not known)"), 7);
  EXPECT_EQ(named("(no value)"), 3);
  EXPECT_THAT(figures.notes, testing::Contains(HasSubstr("(not known): transactions without a "
                                                         "customer here, so without a Branch")));
}

TEST(Figures, NameBothOfTwoThingsThatLinesArePartedBy) {
  auto report = sample::quarter();
  report.segment = "push / Branch";
  report.segments = {{"orders", {.transactions = 7, .suppressed = 7}, {{}, {}, {}, {}}, false, ""},
                     {"orders", {.transactions = 3, .sent = 3}, {{}, {}, {}, {}}, true, ""},
                     {"", {.transactions = 2, .sent = 2}, {{}, {}, {}, {}}, true, "Nord"}};
  const auto figures = figures_of(report);
  std::vector<std::string> names;
  for (const auto& line : figures.segments)
    names.push_back(line.name);
  EXPECT_THAT(names, testing::UnorderedElementsAre("orders / (not known)", "orders / (no value)",
                                                   "(no value) / Nord"));
  EXPECT_THAT(figures.notes, Contains(HasSubstr("(not known): transactions without a customer")));
}

TEST(Figures, NameTheAnswersThatAreEncrypted) {
  SurveyReport report = brief_report({}, {});
  EXPECT_THAT(figures_of(report).notes, Each(Not(HasSubstr("Encrypted"))));
  report.encrypted = 1200;
  EXPECT_THAT(figures_of(report).notes, Contains(HasSubstr("the text of 1,200 answers")));
}

TEST(Figures, SayThatTheyAreOfSeveralPushesTogether) {
  SurveyReport report = brief_report({}, {});
  EXPECT_THAT(figures_of(report).notes, Not(Contains(HasSubstr("together"))));
  report.together = {"orders", "visits"};
  EXPECT_THAT(figures_of(report).notes,
              Contains(HasSubstr("All figures are of 2 pushes together: orders, visits.")));
}

TEST(Figures, SayWhichDaysAndAnswersTheyGoBy) {
  const auto figures = figures_of(sample::quarter());
  EXPECT_THAT(figures.notes,
              testing::Contains(HasSubstr("also of customers who have not finished the survey")));
  EXPECT_THAT(
      figures.notes,
      testing::Contains(testing::StartsWith("Days: those of the transaction, not of the mail")));
}

TEST(Figures, TellApartWhyNobodyWasInvited) {
  auto report = sample::nothing();
  report.total.funnel = {
      .transactions = 12, .sent = 10, .unlisted = 2, .never_invited = 3, .invited = 4};
  const auto figures = figures_of(report);
  std::vector<std::string> lost;
  for (const auto& row : table_in(figures, "losses").rows)
    lost.push_back(row[0].text + ": " + row[1].text);
  EXPECT_THAT(lost, Contains("Sent, and not pulled yet: 2"));
  EXPECT_THAT(lost, Contains("Sent, and never invited: 3"));
  EXPECT_THAT(lost, Contains("Sent, and not invited yet: 1"));
}

TEST(Figures, KindsHaveTheirOwnFigure) {
  const auto figures = figures_of(sample::quarter());
  std::vector<std::string> kinds;
  for (const auto& measure : figures.measures)
    kinds.push_back(measure.kind);
  EXPECT_THAT(kinds, ElementsAre("", "NPS", "CSAT", "CES", "mean"));
  EXPECT_THAT(figures.measures[2].meaning, HasSubstr("answers 4 to 5 on the scale from 1 to 5"));
  EXPECT_THAT(figures.measures[3].meaning, HasSubstr("answers 5 to 7 on the scale from 1 to 7"));
  EXPECT_EQ(figures.measures[4].total.text, "3.49");
}

TEST(Figures, CountTheBestPositionsOfTheirKind) {
  const Distribution each{{1, 10}, {2, 10}, {3, 10}, {4, 10}, {5, 10}, {6, 10}, {7, 10}};
  auto report = brief_report(each, each);
  const auto shown = [&](QuestionKind kind) {
    report.questions[0] = {"Q", "", kind, 1, 7};
    return figures_of(report).measures[1].total.text;
  };
  EXPECT_EQ(shown(QuestionKind::csat), "29\u00a0%");
  EXPECT_EQ(shown(QuestionKind::ces), "43\u00a0%");
  EXPECT_EQ(shown(QuestionKind::mean), "4.00");
  EXPECT_EQ(shown(QuestionKind::nps), "-86") << "60 detractors, 10 passives";
}

TEST(Figures, AMeanOfEqualAnswersHasNoInterval) {
  auto report = brief_report({{4, 30}}, {{3, 30}});
  report.questions[0].kind = QuestionKind::mean;
  const auto measure = figures_of(report).measures[1];
  EXPECT_EQ(measure.total.text, "4.00");
  EXPECT_EQ(measure.total.interval_text, "all equal");
  EXPECT_FALSE(measure.move.is_change);
}

TEST(Figures, AnswersBesideTheScaleAreSaid) {
  auto report = brief_report({{10, 20}, {77, 3}, {-1, 1}}, {});
  const auto figures = figures_of(report);
  EXPECT_EQ(figures.measures[1].total.n, 20);
  EXPECT_EQ(figures.measures[1].outside, 4);
  EXPECT_THAT(figures.notes, testing::Contains(testing::StartsWith("Forgotten people: ")));
  EXPECT_EQ(figures.notes.back(), "Recommend: 4 answers are beside the scale, not counted.");
}

TEST(Figures, WithoutTextsHaveNoAddressAndNoWordOfACustomerOrOfTheService) {
  auto report = sample::hostile_quarter();
  const auto figures = figures_of(report);
  EXPECT_FALSE(std::ranges::count(figures.tables, "texts", &ReportTable::id));
  const auto& reasons = table_in(figures, "quarantined").rows;
  ASSERT_THAT(reasons, SizeIs(2));
  EXPECT_THAT(texts_of(reasons[0]), ElementsAre("refused by the service", "5"));
  EXPECT_THAT(texts_of(reasons[1]), ElementsAre("Email: not an address: (an address)", "4"));
  const auto& bounces = table_in(figures, "bounces").rows;
  EXPECT_THAT(texts_of(bounces[0]), ElementsAre("example.test", "hard", "1"));
  EXPECT_THAT(texts_of(bounces[1]), ElementsAre("(no domain)", "soft", "0"));
  for (const auto& segment : figures.segments)
    EXPECT_THAT(segment.name, Not(HasSubstr("@example")));
  report.with_texts = true;
  EXPECT_THAT(table_in(figures_of(report), "texts").rows, SizeIs(3));
}

TEST(Figures, OfNothingAreWords) {
  const auto figures = figures_of(sample::nothing());
  EXPECT_TRUE(figures.empty);
  EXPECT_THAT(figures.verdict,
              ElementsAre("Nothing was sent and nothing was answered in this time."));
  EXPECT_FALSE(figures_of(sample::one_customer()).empty);
}

TEST(Figures, StandCountsBelowZeroAndScoresThatAreMissing) {
  auto report = sample::quarter();
  report.total.funnel = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  report.total.scores = {};
  report.periods[0].scores.resize(1);
  const auto figures = figures_of(report);
  EXPECT_EQ(table_in(figures, "steps").rows.at(0).at(1).text, "0");
  EXPECT_EQ(figures.measures[0].total.n, 0);
  EXPECT_EQ(figures.measures[4].periods[0].text, "no answers");
}

TEST(Figures, SegmentsBeginWithTheMostAnswers) {
  std::vector<std::int64_t> finished;
  for (const auto& segment : figures_of(sample::hostile_quarter()).segments)
    finished.push_back(segment.funnel.finished);
  EXPECT_THAT(finished, SizeIs(300));
  EXPECT_TRUE(std::is_sorted(finished.rbegin(), finished.rend()));
}

TEST(Bars, OfAWideScaleStandForSeveralPositions) {
  const Bars wide =
      bars_of({"", "", QuestionKind::csat, 0, 100}, {{0, 2}, {5, 1}, {6, 4}, {100, 8}});
  ASSERT_THAT(wide.bars, SizeIs(17));
  EXPECT_EQ(wide.bars[0].name, "0 to 5");
  EXPECT_EQ(wide.bars[0].number, 3);
  EXPECT_EQ(wide.bars[1].number, 4);
  EXPECT_EQ(wide.bars.back().name, "96 to 100");
  EXPECT_EQ(wide.bars.back().number, 8);
  EXPECT_THAT(wide.groups, IsEmpty());
}

TEST(Bars, OfAnyScaleAreFewAndHaveEveryAnswer) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const auto& [low, high] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {1, 1}, {1, 20}, {1, 21}, {-10, 10}, {-most - 1, most}}) {
    const Bars found = bars_of({"", "", QuestionKind::mean, low, high}, {{low, 1}, {high, 2}});
    EXPECT_LE(found.bars.size(), 21U) << low << " to " << high;
    std::int64_t all = 0;
    for (const auto& bar : found.bars)
      all += bar.number;
    EXPECT_EQ(all, low == high ? 1 : 3) << low << " to " << high;
  }
  EXPECT_THAT(bars_of({"", "", QuestionKind::mean, 5, 1}, {{3, 1}}).bars, IsEmpty());
}

TEST(Bars, SayWhatAPositionCountsAs) {
  const Bars found = bars_of({"", "", QuestionKind::nps, 0, 10}, {});
  EXPECT_THAT(found.groups, ElementsAre("detractors", "passives", "promoters"));
  std::vector<std::size_t> groups;
  for (const auto& bar : found.bars)
    groups.push_back(bar.group);
  EXPECT_THAT(groups, ElementsAre(0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2));
}

}  // namespace
