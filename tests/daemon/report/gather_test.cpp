// The days of a report, and what it shows of stored customers; how these are counted is tested in
// tests/crm/report.
#include "daemon/report/gather.hpp"

#include <gmock/gmock.h>

#include "connectors/crm/pulled/pull_store.hpp"
#include "daemon/report/figures.hpp"
#include "mapping/interface/resource.hpp"
#include "tests/daemon/shop.hpp"

namespace surveybridge::daemon {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ReportDays days(const ReportAsked& asked, const std::string& today = "2026-11-23") {
  auto found = days_of(asked, today);
  if (auto* refused = std::get_if<ReportRefused>(&found)) {
    ADD_FAILURE() << refused->front();
    return {};
  }
  return std::get<ReportDays>(found);
}

std::vector<std::string> refused(const ReportAsked& asked) {
  const auto found = days_of(asked, "2026-11-23");
  const auto* problems = std::get_if<ReportRefused>(&found);
  return problems ? *problems : ReportRefused{};
}

TEST(DaysOf, AreTwelveWeeksUpToToday) {
  const auto of = days({});
  EXPECT_EQ(of.from, "2026-08-31") << "a Monday";
  EXPECT_EQ(of.to, "2026-11-23");
  EXPECT_EQ(of.before_from, "2026-06-07");
  EXPECT_EQ(of.before_to, "2026-08-30");
  EXPECT_FALSE(of.months);
}

TEST(DaysOf, AreShownByMonthWhereTheyAreMany) {
  EXPECT_TRUE(days({.from = "2026-01-01"}).months);
  EXPECT_FALSE(days({.from = "2026-01-01", .period = "week"}).months);
  EXPECT_TRUE(days({.from = "2026-11-01", .period = "month"}).months);
}

TEST(DaysOf, HaveAsManyDaysBefore) {
  const auto of = days({.from = "2024-02-29", .to = "2024-02-29"});
  EXPECT_EQ(of.before_from, "2024-02-28");
  EXPECT_EQ(of.before_to, "2024-02-28");
}

TEST(DaysOf, NameEveryProblem) {
  EXPECT_THAT(refused({.from = "2026-02-29", .to = "tomorrow", .period = "day"}),
              ElementsAre(HasSubstr("--to must be a day"), HasSubstr("got \"2026-02-29\""),
                          HasSubstr("got \"day\"")));
  EXPECT_THAT(refused({.from = "2026-11-24"}), ElementsAre(HasSubstr("is after the last")));
  EXPECT_THAT(refused({.from = "1990-01-01"}), ElementsAre(HasSubstr("20 years")));
  for (const char* day : {"2026-1-01", "2026-01-1 ", "20260101", "-026-01-01", "2026-13-01"})
    EXPECT_THAT(refused({.from = day}), ElementsAre(HasSubstr("must be a day"))) << day;
}

class GatheredReport : public in_process::Shop {
 protected:
  GatheredReport() {
    settings_.report.least = 1;
    settings_.report.segments = {"Branch", "Country"};
    settings_.report.questions = {
        {{}, 1200, "Satisfied", config::Report::Question::Kind::csat, {}, {}}};
    sync();
  }
  mapping::Record& object_in(mapping::Record& record, const char* field) {
    auto& records = record.at(field).records;
    records.emplace_back(*record.resource->find(field)->of);
    return records.back();
  }
  // Pulls a customer of the North, in the Netherlands, who has answered.
  void pull(std::int64_t id, std::int64_t score) {
    mapping::Record customer(mapping::customer());
    customer.set("Id", id);
    for (const char* date : {"TransactionDate", "DateInvited", "SurveyFinishedDate"})
      customer.set(date, clock_.now);
    auto& answer = object_in(customer, "Answers");
    answer.set("BaseQuestionId", std::int64_t{1200});
    answer.set("DateAnswered", clock_.now);
    object_in(answer, "SelectedScalePositions").set("Value", score);
    std::int64_t column = 101;
    for (const auto& [name, value] : {std::pair{"Branch", "North"}, std::pair{"Country", "NL"}}) {
      auto& item = object_in(customer, "Data");
      item.set("CustomerDataColumnId", column++);
      item.set("Name", std::string(name));
      item.set("Value", std::string(value));
    }
    store().save({customer}, {"list", "walk", {}, {}, "next", {}, 1, 0, {}, ""}, std::nullopt);
  }
  void renew() {
    auto tables = store();
    while (tables.renew_report() > 0) {
    }
  }
  SurveyReport gathered(const std::string& by = "") {
    ReportAsked asked{.from = "2026-11-01", .to = "2026-11-30"};
    asked.by = by;
    return std::get<SurveyReport>(gather_report(*crm_, settings_, asked, {}));
  }
  std::vector<std::string> segments(const std::string& by) {
    std::vector<std::string> names;
    for (const auto& line : gathered(by).segments)
      names.push_back(line.name);
    return names;
  }

 private:
  crm::PullStore store() {
    return {*crm_, mapping::customer(), {}, "UTC", crm::report_shape(settings_)};
  }
};

// Somebody asks for a report with a file that no pull has seen.
TEST_F(GatheredReport, ShowsNoSegmentUnderTheNameOfAnother) {
  pull(1, 5);
  renew();
  EXPECT_THAT(segments("Branch"), ElementsAre("North"));
  EXPECT_THAT(segments("Country"), ElementsAre("NL"));
  settings_.report.segments = {"Country", "Branch"};
  for (const char* by : {"", "Branch", "Country", "push,Country"}) {
    const auto report = gathered(by);
    EXPECT_THAT(report.segments, testing::IsEmpty()) << by;
    EXPECT_THAT(report_text(report, 200), HasSubstr("The next pull with this one renews them."));
  }
  EXPECT_THAT(figures_of(gathered("Branch")).verdict,
              testing::Contains("Nothing is parted by Branch: the tables still have the segments "
                                "of another configuration. The next pull with this one renews "
                                "them."));
  EXPECT_THAT(segments("push"), testing::SizeIs(1)) << "the push is no segment";
  renew();
  EXPECT_THAT(segments("Branch"), ElementsAre("North"));
  EXPECT_THAT(segments("Country"), ElementsAre("NL"));
}

TEST_F(GatheredReport, SaysHowManyAnswersAreBesideTheScale) {
  std::int64_t id = 0;
  for (const std::int64_t score : {10, 10, 9, 5})
    pull(++id, score);
  const auto figures = figures_of(gathered());
  EXPECT_EQ(figures.measures.at(1).total.n, 1);
  EXPECT_EQ(figures.measures.at(1).outside, 3);
  EXPECT_THAT(figures.notes,
              testing::Contains("Satisfied: 3 answers are beside the scale, not counted."));
}

}  // namespace
}  // namespace surveybridge::daemon
