// survey_customer_history: how each customer was, on every database.
#include <gmock/gmock.h>

#include "connectors/crm/erasure/forget.hpp"
#include "connectors/crm/erasure/prune.hpp"
#include "connectors/crm/report/history_store.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "tests/crm/report/report_fixture.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;

class History : public Reports {
 protected:
  // The states of all customers, also of those who never changed.
  Texts rows() {
    return read(R"(SELECT "customer_id", "version", "seen_at", "stage", "score_1200")"
                R"( FROM "survey_customer_history" UNION ALL)"
                R"( SELECT "customer_id", 1, "seen_at", "stage", "score_1200")"
                R"( FROM "survey_invitation" WHERE "seen_at" IS NOT NULL ORDER BY 1, 2)");
  }
  Texts written() {
    return read(R"(SELECT "customer_id", "version" FROM "survey_customer_history" ORDER BY 1, 2)");
  }
  void see(const std::vector<Told>& customers, Instant at) {
    database.time = at;
    save(customers);
  }
  static Told invited(std::int64_t id) {
    return {id, kFirst, "A" + std::to_string(id), "", kFirst + 1h};
  }
};

TEST_P(History, HasARowForEachChangeOfStatusAndScores) {
  see({finished(2, kFirst, "", 9)}, day_at(11, 1));
  see({invited(1)}, day_at(11, 3));
  Told opened = invited(1);
  opened.opened = kFirst + 2h;
  see({opened}, day_at(11, 4));
  opened.branch = "South";  // no change of its status
  see({opened}, day_at(11, 5));
  see({finished(1, kFirst, "", 3)}, day_at(11, 6));
  see({finished(1, kFirst, "", 4), finished(2, kFirst, "", 9)}, day_at(11, 7));
  EXPECT_EQ(rows(), (Texts{{"1", "1", "2026-11-03T12:00:00", "invited", "-"},
                           {"1", "2", "2026-11-04T12:00:00", "opened", "-"},
                           {"1", "3", "2026-11-06T12:00:00", "finished", "3"},
                           {"1", "4", "2026-11-07T12:00:00", "finished", "4"},
                           {"2", "1", "2026-11-01T12:00:00", "finished", "9"}}));
  renew(mapping::customer());
  EXPECT_EQ(rows().size(), 5u) << "a renewal is no change";
}

TEST_P(History, NotesABounceAndAnOptOutAfterTheAnswer) {
  see({invited(1), finished(2, kFirst, "", 9)}, day_at(11, 3));
  database.time = day_at(11, 4);
  const auto bounce = bouncer_of("A1", "550 no such user", kFirst + 2h, "x@mail.example");
  save(mapping::bouncer(), {bounce});
  save(mapping::bouncer(), {bounce});
  Told out = finished(2, kFirst, "", 9);
  out.opted_out = kSecond;
  see({out}, day_at(11, 5));
  expect(R"(SELECT "customer_id", "seen_at", "stage", "opted_out" FROM "survey_customer_history")"
         R"( WHERE "version" > 1 ORDER BY "customer_id")",
         {{"1", "2026-11-04T12:00:00", "bounced", "0"},
          {"2", "2026-11-05T12:00:00", "finished", "1"}});
}

TEST_P(History, TakesNoOffenceAtAClockThatStandsStillOrGoesBack) {
  see({invited(1)}, day_at(11, 3));
  see({finished(1, kFirst, "", 9)}, day_at(11, 3));
  see({finished(1, kFirst, "", 8)}, day_at(11, 2));
  EXPECT_EQ(rows().size(), 3u);
}

// A question that appears later adds a column; the rows before it have no score there.
TEST_P(History, GetsAColumnForEachQuestion) {
  see({finished(1, kFirst, "", 9)}, day_at(11, 3));
  Told more = finished(1, kFirst, "", 9);
  more.answers.push_back({1300, 4, "", kFirst + 3h, "How clean?"});
  see({more}, day_at(11, 4));
  expect(R"(SELECT "score_1200", "score_1300" FROM "survey_customer_history" ORDER BY "version")",
         {{"9", "-"}, {"9", "4"}});
  expect(R"(SELECT "push", "key", "seen_from", "seen_until", "stage", "How likely?", "How clean?")"
         R"( FROM "survey_report_history" ORDER BY "seen_from")",
         {{"orders", "A1", "2026-11-03T12:00:00", "2026-11-04T12:00:00", "finished", "9", "-"},
          {"orders", "A1", "2026-11-04T12:00:00", "-", "finished", "9", "4"}});
}

TEST_P(History, IsErasedWithTheCustomer) {
  see({invited(1), invited(2), invited(3)}, day_at(11, 3));
  see({finished(1, kFirst, "", 9), finished(2, kFirst, "", 9)}, day_at(11, 4));
  forget(database, database, "hash", "JO1@mail.example", {"Order"});
  EXPECT_EQ(rows().size(), 3u);
  expect(R"(SELECT COUNT(*) FROM "survey_customer_history" WHERE "customer_id" = 1)", {{"0"}});
  prune(database, mapping::customer(), "TransactionDate", kFirst + 1h);
  EXPECT_EQ(rows().size(), 0u) << "retention";
}

TEST_P(History, IsNotKeptWhereItIsOff) {
  shape.report.keep_history = 0ms;
  see({finished(1, kFirst, "", 9)}, day_at(11, 3));
  EXPECT_EQ(rows().size(), 0u);
  shape.report.keep_history = 24h;
  see({finished(1, kFirst, "", 8)}, day_at(11, 3));
  EXPECT_EQ(rows().size(), 1u);
  EXPECT_EQ(clear_history(database), 1);
  EXPECT_EQ(rows().size(), 0u);
}

// What was so at the time to which the history goes back stays, whenever it began to be so.
TEST_P(History, IsPrunedToWhatCanStillBeAskedFor) {
  see({invited(1), invited(2)}, day_at(9, 1));
  see({finished(1, kFirst, "", 9)}, day_at(9, 2));
  see({finished(1, kFirst, "", 8)}, day_at(9, 20));
  EXPECT_EQ(prune_history(database, day_at(9, 10), day_at(11, 3)), 1);
  EXPECT_EQ(rows(), (Texts{{"1", "2", "2026-09-02T12:00:00", "finished", "9"},
                           {"1", "3", "2026-09-20T12:00:00", "finished", "8"},
                           {"2", "1", "2026-09-01T12:00:00", "invited", "-"}}));
  EXPECT_EQ(prune_history(database, day_at(9, 30), day_at(11, 3)), 0) << "once a day";
  EXPECT_EQ(prune_history(database, day_at(9, 30), day_at(11, 4)), 1);
  see({finished(1, kFirst, "", 7)}, day_at(11, 4));
  expect(R"(SELECT MAX("version") FROM "survey_customer_history")", {{"4"}});
}

// Tables of a version that kept no history have scores already.
TEST_P(History, BeginsWithWhatIsStored) {
  shape.report.keep_history = 0ms;
  see({finished(1, kFirst, "", 9)}, day_at(11, 3));
  shape.report.keep_history = 24h;
  database.execute({"DELETE FROM survey_report_state WHERE name = 'survey_customer'", {}});
  database.time = day_at(11, 5);
  renew(mapping::customer());
  EXPECT_EQ(rows(), (Texts{{"1", "1", "2026-11-05T12:00:00", "finished", "9"}}));
}

// A first pull writes nothing but survey_invitation.
TEST_P(History, IsWrittenWhenACustomerChanges) {
  see({invited(1), finished(2, kFirst, "", 9)}, day_at(11, 3));
  EXPECT_EQ(written(), Texts{});
  see({finished(1, kFirst, "", 3)}, day_at(11, 4));
  EXPECT_EQ(written(), (Texts{{"1", "1"}, {"1", "2"}}));
  expect(R"(SELECT "customer_id", "seen_from", "seen_until", "stage", "How likely?")"
         R"( FROM "survey_report_history" ORDER BY "customer_id", "seen_from")",
         {{"1", "2026-11-03T12:00:00", "2026-11-04T12:00:00", "invited", "-"},
          {"1", "2026-11-04T12:00:00", "-", "finished", "3"},
          {"2", "2026-11-03T12:00:00", "-", "finished", "9"}});
}

// Version 1 of the tables had the first row of every customer in the history.
TEST_P(History, GoesOnWithARowThatAnEarlierVersionWrote) {
  see({invited(1), invited(2)}, day_at(11, 3));
  run_statement(database,
                "INSERT INTO survey_customer_history (customer_id, version, seen_at, stage,"
                " bounced, opted_out) SELECT customer_id, 1, seen_at, stage, bounced, opted_out"
                " FROM survey_invitation");
  database.execute({"UPDATE survey_invitation SET seen_at = NULL WHERE customer_id = 1", {}});
  see({finished(1, kFirst, "", 3), finished(2, kFirst, "", 4)}, day_at(11, 4));
  EXPECT_EQ(written(), (Texts{{"1", "1"}, {"1", "2"}, {"2", "1"}, {"2", "2"}}));
}

// However many customers a page has: one for the first rows, one for those that follow.
TEST_P(History, CostsTwoStatementsAPage) {
  std::vector<Told> page;
  for (std::int64_t id = 1; id <= 300; ++id)
    page.push_back(invited(id));
  see(page, day_at(11, 3));
  const auto statements_of = [&](const std::vector<Told>& customers) {
    database.written = 0;
    save(customers);
    return database.written;
  };
  std::vector<Told> changed;
  for (std::int64_t id = 1; id <= 300; ++id)
    changed.push_back(finished(id, kFirst, "", 9));
  shape.report.keep_history = 0ms;
  save({finished(301, kFirst, "", 9)});
  const int without = statements_of(changed);
  shape.report.keep_history = 24h;
  save(page);
  EXPECT_EQ(statements_of(changed), without + 1);
  std::vector<Told> others, changed_others;
  for (std::int64_t id = 401; id <= 700; ++id) {
    others.push_back(invited(id));
    changed_others.push_back(finished(id, kFirst, "", 9));
  }
  save(others);
  EXPECT_EQ(statements_of(changed_others), without + 2);
  EXPECT_EQ(written().size(), 1200u);
}

INSTANTIATE_TEST_SUITE_P(Databases, History, every_dialect(), server_name);

}  // namespace
}  // namespace surveybridge::crm
