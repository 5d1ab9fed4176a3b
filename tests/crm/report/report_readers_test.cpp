// Somebody who reads for hours holds up no page: a new question gets its column when the reader is
// done, and the customers who answered it in the meantime get their scores.
#include <gmock/gmock.h>

#include "connectors/crm/dialect/sql.hpp"
#include "tests/crm/report/report_fixture.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;

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

}  // namespace
}  // namespace surveybridge::crm
