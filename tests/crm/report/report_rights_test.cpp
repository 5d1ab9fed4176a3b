// Rights that are missing cost the reports, not the page; what came in the meantime is made up for
// when the rights are there.
#include <gmock/gmock.h>

#include "tests/crm/report/report_fixture.hpp"
#include "tests/support/forwarding_database.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class ReportRights : public Reports {
 protected:
  // Returns why there are no reports.
  std::string page_of(std::int64_t id) {
    PullStore store = new_store();
    page(store, {record_of(finished(id, kFirst, "", 9))});
    return store.report_problem();
  }
  void rename(const std::string& from, const std::string& to) {
    if (GetParam() == Server::sqlite) database.execute({"PRAGMA legacy_alter_table = ON", {}});
    read("ALTER TABLE \"" + from + "\" RENAME TO \"" + to + "\"");
  }
  const std::string customers_ =
      R"(SELECT "customer_id" FROM "survey_invitation" ORDER BY "customer_id")";
};

TEST_P(ReportRights, ThatComeBackTakeInWhatWasStoredWithoutThem) {
  save({finished(1, kFirst, "", 9)});
  renew(mapping::customer());
  rename("survey_report_column", "hidden_column");
  EXPECT_THAT(page_of(2), HasSubstr("survey_report_column"));
  EXPECT_NE(page_of(3), "");
  expect(customers_, {{"1"}});
  expect(R"(SELECT COUNT(*) FROM "survey_customer")", {{"3"}});
  rename("hidden_column", "survey_report_column");
  renew(mapping::customer());
  expect(customers_, {{"1"}, {"2"}, {"3"}});
  EXPECT_EQ(new_store().renew_report(), 0) << "once";
}

// The right to read them, and not to write them.
TEST_P(ReportRights, ToWriteCostNoPageWhereTheyAreMissing) {
  save({finished(1, kFirst, "", 9)});
  renew(mapping::customer());
  rename("survey_question", "hidden_question");
  Told other = finished(2, kFirst, "", 9);
  other.answers.front().question = 1300;
  PullStore store = new_store();
  page(store, {record_of(other)});
  EXPECT_THAT(store.report_problem(), HasSubstr("survey_question"));
  EXPECT_EQ(store.renew_report(), 0);
  expect(R"(SELECT COUNT(*) FROM "survey_customer")", {{"2"}});
  expect(customers_, {{"1"}});
  rename("hidden_question", "survey_question");
  renew(mapping::customer());
  expect(customers_, {{"1"}, {"2"}});
}

// The right to write, and not to add columns: pages in any order are made up for.
TEST_P(ReportRights, ToAddColumnsAreMadeUpForInAnyOrderOfThePages) {
  save({finished(1, kFirst, "", 9)});
  renew(mapping::customer());
  {
    support::LookedAtDatabase refusing(database, [](const std::string& sql) {
      if (sql.starts_with("ALTER TABLE"))
        throw DatabaseError(DatabaseError::Kind::other, "must be owner of the table");
    });
    PullStore store(refusing, mapping::customer(), {}, "UTC", shape);
    for (const std::int64_t id : {500, 100, 300}) {
      Told told = finished(id, kFirst, "", 9);
      told.answers.push_back({1300, 4, "", kFirst, "Clean?"});
      page(store, {record_of(told)});
    }
    EXPECT_THAT(store.report_problem(), HasSubstr("must be owner"));
  }
  renew(mapping::customer());
  expect(R"(SELECT "customer_id", "Clean?" FROM "survey_report_customer" ORDER BY "customer_id")",
         {{"1", "-"}, {"100", "4"}, {"300", "4"}, {"500", "4"}});
}

INSTANTIATE_TEST_SUITE_P(Databases, ReportRights, every_dialect(), server_name);

}  // namespace
}  // namespace surveybridge::crm
