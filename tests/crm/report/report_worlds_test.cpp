// The views where the year turns far east and far west of Greenwich, after a customer is forgotten,
// and where a question changes what it is.
#include <gmock/gmock.h>

#include "connectors/crm/erasure/forget.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/report/report_sql.hpp"
#include "connectors/crm/schema/report_tables.hpp"
#include "tests/crm/report/report_fixture.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;

class WorldsOfReports : public Reports {
 protected:
  static Instant at(int year, unsigned month, unsigned day, int hour) {
    return Instant{std::chrono::sys_days{std::chrono::year{year} / static_cast<int>(month) /
                                         static_cast<int>(day)}} +
           std::chrono::hours{hour};
  }
  void expect_starts(const std::string& period, const Texts& rows) {
    expect_by(period, R"(SELECT "starts", "transactions" FROM "survey_report_funnel")", rows);
  }
  // Thursday and Friday, in the last hours of the old year and the first of the new one by UTC.
  void turn_the_year() {
    save({finished(1, at(2026, 12, 31, 9), "", 9), finished(2, at(2026, 12, 31, 12), "", 9),
          finished(3, at(2027, 1, 1, 9), "", 9), finished(4, at(2027, 1, 3, 12), "", 9)});
  }
};

// 13 hours before UTC: noon on the 31st is the first of January, and Sunday noon is Monday.
TEST_P(WorldsOfReports, BeginTheYearAndTheWeekEarlyInAuckland) {
  shape.time_zone = "Pacific/Auckland";
  turn_the_year();
  expect_starts("month", {{"2026-12-01", "1"}, {"2027-01-01", "3"}});
  expect_starts("week", {{"2026-12-28", "3"}, {"2027-01-04", "1"}});
}

// 10 hours behind UTC: nine o'clock on the first is still the old year.
TEST_P(WorldsOfReports, EndTheYearLateInHonolulu) {
  shape.time_zone = "Pacific/Honolulu";
  turn_the_year();
  expect_starts("month", {{"2026-12-01", "3"}, {"2027-01-01", "1"}});
  expect_starts("week", {{"2026-12-28", "4"}});
}

// Nothing that a customer was or wrote is left, in no column of no table and no view.
TEST_P(WorldsOfReports, HaveNothingOfACustomerWhoIsForgotten) {
  Told her = finished(1, kFirst, "hers-branch", 9);
  her.key = "hers-key";
  her.answers.front().text = "hers-text";
  her.answers.push_back({1300, {}, "hers-other-text", kFirst + 3h, "Why?"});
  Ledger(database).claim({"b1", "orders", "one"},
                         {{"hers-key", "jo1@mail.example", kFirst, "hash"}});
  save({her, finished(2, kFirst, "South", 8)});
  her.answers.front().score = 3;  // a second row of history
  database.advance(1h);
  save({her});
  save(mapping::bouncer(), {bouncer_of("hers-key", "550 no", kFirst, "jo1@mail.example")});
  save(mapping::rating(), {rating_of(7, "hers-key")});
  std::vector<std::string> names;
  for (const auto* table : report_tables())
    names.push_back(table->name);
  for (const auto& view : report_views(database.dialect(), shape, {}))
    names.push_back(view.name);
  const auto of_her = [&] {
    std::vector<std::string> found;
    for (const auto& name : names)
      for (const auto& row : read("SELECT * FROM \"" + name + "\""))
        for (const auto& cell : row)
          if (cell.find("hers") != std::string::npos || cell.find("jo1@") != std::string::npos)
            found.push_back(name + ": " + cell);
    return found;
  };
  EXPECT_GT(of_her().size(), 10U);
  forget(database, database, "hash", "jo1@mail.example", {"order"});
  EXPECT_THAT(of_her(), testing::IsEmpty());
  for (const char* name : {"survey_invitation", "survey_customer_history", "survey_report_history"})
    expect("SELECT COUNT(*) FROM \"" + std::string(name) + R"(" WHERE "customer_id" = 1)", {{"0"}});
  expect(R"(SELECT "customer_id" FROM "survey_report_customer")", {{"2"}});
}

// First a text, then a scale to ten, then a scale to five with other words.
TEST_P(WorldsOfReports, KeepTheColumnsOfAQuestionThatChanges) {
  Told first = finished(1, kFirst, "", 9), third = finished(3, kSecond, "", 9);
  first.answers = {{1200, {}, "fine", kFirst, "How was it?"}};
  third.answers = {{1200, 5, "", kSecond, "How was it, from 1 to 5?"}};
  save({first});
  Told second = finished(2, kFirst, "", 10);
  second.answers.front().words = "How was it?";
  save({second});
  save({third});
  expect(R"(SELECT "customer_id", "How was it?", "How was it? text" FROM "survey_report_customer")"
         R"( ORDER BY "customer_id")",
         {{"1", "-", "fine"}, {"2", "10", "-"}, {"3", "5", "-"}});
  expect(R"(SELECT "kind", "low", "high" FROM "survey_question")", {{"scale", "5", "10"}});
  expect_by("week", R"(SELECT "starts", "n", "mean" FROM "survey_report_score")",
            {{"2026-11-02", "1", "10.0000"}, {"2026-11-09", "1", "5.0000"}});
}

INSTANTIATE_TEST_SUITE_P(Databases, WorldsOfReports, every_dialect(), server_name);

}  // namespace
}  // namespace surveybridge::crm
