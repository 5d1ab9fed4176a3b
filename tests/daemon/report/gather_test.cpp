// The days of a report; what is counted in them is tested with the database (tests/crm/report).
#include "daemon/report/gather.hpp"

#include <gmock/gmock.h>

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

}  // namespace
}  // namespace surveybridge::daemon
