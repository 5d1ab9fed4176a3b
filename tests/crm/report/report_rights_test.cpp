// What stands in the way of reports costs no page: somebody who reads for hours, and rights that
// are missing. What came in the meantime is made up for.
#include <gmock/gmock.h>

#include "connectors/crm/dialect/sql.hpp"
#include "tests/crm/report/report_fixture.hpp"
#include "tests/support/forwarding_database.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class ReportReaders : public Reports {
 protected:
  // With a question that nobody has answered before.
  static Told asked_more(std::int64_t id) {
    Told told = finished(id, kFirst, "", 9);
    told.answers.push_back({1300, 4, "", kFirst + 3h, "How clean?"});
    return told;
  }
  // By one store, as a daemon that goes on.
  void told(const Told& told) {
    page(store_, {record_of(told)});
    ASSERT_EQ(store_.report_problem(), "");
  }
  void begin_to_read(Database& reader, const std::string& from) {
    reader.execute({speaks_mysql(GetParam()) ? "START TRANSACTION" : "BEGIN", {}});
    reader.query({in_dialect(reader.dialect(), "SELECT * FROM " + from), {}});
  }
  PullStore store_ = new_store();
};

TEST_P(ReportReaders, HoldUpNoPage) {
  for (std::int64_t id = 1; id <= 3; ++id)
    told(finished(id, kFirst, "", 9));
  EXPECT_EQ(store_.renew_report(), 3);
  EXPECT_EQ(store_.renew_report(), 0);
  Database& reader = open();
  begin_to_read(reader, R"("survey_report_customer")");
  const auto began = std::chrono::steady_clock::now();
  told(asked_more(4));
  told(finished(5, kFirst, "", 8));
  told(asked_more(6));
  EXPECT_LT(std::chrono::steady_clock::now() - began, 20s) << "a page waited for the reader";
  EXPECT_EQ(store_.renew_report(), 0) << "it went on without the column";
  if (GetParam() != Server::sqlite) {  // there a reader holds up no change of the shape
    EXPECT_TRUE(store_.report_is_late());
    EXPECT_THROW(read(R"(SELECT "score_1300" FROM "survey_invitation")"), DatabaseError);
  }
  expect(R"(SELECT "customer_id", "How likely?" FROM "survey_report_customer" ORDER BY 1)",
         {{"1", "9"}, {"2", "9"}, {"3", "9"}, {"4", "9"}, {"5", "8"}, {"6", "9"}});
  reader.execute({"COMMIT", {}});
  std::int64_t renewed = 0;
  for (std::int64_t id = 7; id < 40; ++id) {  // pages without the question
    told(finished(id, kFirst, "", 7));
    if (store_.report_is_late()) store_.renew_report();
  }
  for (std::int64_t more = 1; more > 0; renewed += more)
    more = store_.renew_report();
  store_.renew_report();  // sees that all were
  EXPECT_FALSE(store_.report_is_late());
  EXPECT_LT(renewed, 37) << "those before the first late one need no renewal";
  expect(R"(SELECT "customer_id", "How likely?", "How clean?" FROM "survey_report_customer")"
         R"( WHERE "customer_id" < 8 ORDER BY 1)",
         {{"1", "9", "-"},
          {"2", "9", "-"},
          {"3", "9", "-"},
          {"4", "9", "4"},
          {"5", "8", "-"},
          {"6", "9", "4"},
          {"7", "7", "-"}});
}

// The daemon may end in between.
TEST_P(ReportReaders, AreWaitedForByTheNextDaemonToo) {
  told(finished(1, kFirst, "", 9));
  while (store_.renew_report() > 0) {
  }
  Database& reader = open();
  begin_to_read(reader, R"("survey_invitation")");
  told(asked_more(2));
  reader.execute({"COMMIT", {}});
  renew(mapping::customer());
  expect(R"(SELECT "customer_id", "How clean?" FROM "survey_report_customer" ORDER BY 1)",
         {{"1", "-"}, {"2", "4"}});
  expect(R"(SELECT "version", "score_1300" FROM "survey_customer_history")"
         R"( WHERE "customer_id" = 2 ORDER BY 1 DESC)",
         GetParam() == Server::sqlite ? Texts{} : Texts{{"2", "4"}, {"1", "-"}});
}

TEST_P(ReportReaders, OfAViewHoldUpNoOtherView) {
  Database& reader = open();
  told(finished(1, kFirst, "", 9));
  begin_to_read(reader, R"("survey_report_rating")");
  shape.report.segments = {};
  PullStore other = new_store();
  page(other, {});
  EXPECT_EQ(other.report_problem(), "");
  EXPECT_EQ(other.report_is_late(), GetParam() != Server::sqlite);
  reader.execute({"COMMIT", {}});
  for (int i = 0; i < 5; ++i)
    other.renew_report();
  EXPECT_FALSE(other.report_is_late());
  expect(R"(SELECT DISTINCT "segment" FROM "survey_report_funnel")", {{"all"}});
}

// Another walk has found late records while this one renews.
TEST_P(ReportReaders, AreNotForgottenByARenewalThatIsUnderWay) {
  for (std::int64_t id = 1; id <= 3; ++id)
    told(finished(id, kFirst, "", 9));
  ReportStore one(database, mapping::customer(), shape),
      other(database, mapping::customer(), shape);
  one.prepare({});
  other.prepare({});
  one.set_reached("2");
  ASSERT_EQ(one.behind(), "2");
  ASSERT_EQ(other.behind(), "2");
  other.set_reached("1");
  one.set_reached(std::nullopt);
  EXPECT_EQ(other.behind(), "1");
}

INSTANTIATE_TEST_SUITE_P(Databases, ReportReaders, every_dialect(), server_name);

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
