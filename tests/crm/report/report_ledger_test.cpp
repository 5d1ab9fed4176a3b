// Each transaction of the ledger is in exactly one line of the funnel, whatever its state is and
// whatever the service has told of its customer.
#include <gmock/gmock.h>

#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/report/report_reading.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "tests/crm/report/report_fixture.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;

class LedgerInReports : public Reports {
 protected:
  static constexpr DayRange kYear{"2026-01-01", "2026-12-31"};
  static constexpr std::array kStates = {State::pending,    State::claimed, State::sent,
                                         State::in_doubt,   State::held,    State::suppressed,
                                         State::quarantined};

  // A row of the ledger, with its customer's number where the ledger knows it.
  void put_row(const std::string& key, State state, std::optional<std::int64_t> customer,
               bool test = false) {
    run_statement(database,
                  R"(INSERT INTO "survey_push" ("push", "key", "state", "attempts",)"
                  R"( "customer_id", "test", "seen_at", "changed_at") VALUES ({key}, {key},)"
                  R"( {key}, {integer}, {integer}, {boolean}, {instant}, {instant}))",
                  {"orders", key, to_string(state), std::int64_t{1},
                   customer ? Value{*customer} : Value{mapping::Null{}}, test, kFirst, kFirst});
  }
  // What a report and the view count: all, suppressed, quarantined, waiting, in doubt, sent.
  Texts counted() {
    const auto lines = ReportReading(database, shape, "").lines(kYear, {});
    Texts all;
    for (const auto& line : lines) {
      const auto& of = line.funnel;
      all.emplace_back();
      for (const auto number :
           {of.transactions, of.suppressed, of.quarantined, of.waiting, of.in_doubt, of.sent})
        all.back().push_back(std::to_string(number));
    }
    const Texts view =
        read(R"(SELECT SUM("transactions"), SUM("suppressed"), SUM("quarantined"), SUM("waiting"),)"
             R"( SUM("in_doubt"), SUM("sent") FROM "survey_report_funnel" WHERE "period" = 'month')"
             R"( AND "segment" = 'all')");
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_EQ(std::stod(view.at(0).at(i)), std::stod(all.at(0).at(i))) << i;
    return all;
  }
};

TEST_P(LedgerInReports, CountATransactionWhoseCustomerIsNotPulledYet) {
  save(std::vector<Told>{});
  std::int64_t id = 0;
  for (const auto state : kStates) {
    const std::string name = to_string(state);
    put_row(name + " 1", state, std::nullopt);
    put_row(name + " 2", state, ++id);
    put_row(name + " 3", state, ++id, true);  // a test
  }
  EXPECT_EQ(counted(), (Texts{{"14", "2", "2", "2", "6", "2"}}));
}

// A customer counts as sent, whatever the ledger has thought so far.
TEST_P(LedgerInReports, CountATransactionOnceWhoseCustomerIsPulled) {
  std::vector<Told> customers;
  std::int64_t id = 0;
  for (const auto state : kStates) {
    const std::string name = to_string(state);
    put_row(name + " 1", state, std::nullopt);
    customers.push_back({++id, kFirst, name + " 1"});
    put_row(name + " 2", state, ++id);
    customers.push_back({id, kFirst, name + " 2"});
    put_row(name + " 3", state, ++id);
    customers.push_back({id, kFirst, ""});  // its data has no key
  }
  save(customers);
  EXPECT_EQ(counted(), (Texts{{"21", "0", "0", "0", "0", "21"}}));
}

// Its second feedback is there, and the customer itself is not: pulled later, or removed.
TEST_P(LedgerInReports, CountATransactionOfWhichOnlySecondFeedbackIsPulled) {
  std::vector<Told> customers;
  std::int64_t id = 100;
  for (const auto state : kStates) {
    const std::string name = to_string(state);
    put_row(name + " 1", state, std::nullopt);
    put_row(name + " 2", state, ++id);
    for (const char* number : {" 1", " 2"}) {
      customers.push_back({++id, kFirst, name + number});
      customers.back().second = true;
    }
  }
  save(customers);
  EXPECT_EQ(counted(), (Texts{{"14", "2", "2", "2", "6", "2"}}));
}

// After an outage: the read-back has found the row, and no page of customers has come since.
TEST_P(LedgerInReports, CountWhatTheReadBackHasFound) {
  save(std::vector<Told>{});
  Ledger ledger(database);
  ledger.claim({"b1", "orders", "one"}, {{"A1", "jo1@mail.example", kFirst}});
  ledger.settle("orders", "b1", {Outcome::unknown, 0, "no answer"}, {{"A1", State::in_doubt, ""}});
  EXPECT_EQ(counted(), (Texts{{"1", "0", "0", "0", "1", "0"}}));
  ledger.resolve("orders", {{"A1", State::sent, "found", 7}});
  EXPECT_EQ(counted(), (Texts{{"1", "0", "0", "0", "0", "1"}}));
  save({{7, kFirst, "A1"}});
  EXPECT_EQ(counted(), (Texts{{"1", "0", "0", "0", "0", "1"}}));
}

TEST_P(LedgerInReports, CountWhatASampleAndAQuotaLeaveOut) {
  save(std::vector<Told>{});
  Ledger(database).set_aside("orders", State::suppressed,
                             {{"A1", std::string(kNotDrawn) + " (sample)"},
                              {"A2", std::string(kNotDrawn) + " (sample)"},
                              {"A3", std::string(kOverQuota) + ": 3 a week for each \"branch\""},
                              {"A4", "opted out"}});
  run_statement(database, R"(UPDATE "survey_push" SET "seen_at" = {instant})", {kFirst});
  const auto funnel = ReportReading(database, shape, "").lines(kYear, {}).at(0).funnel;
  EXPECT_EQ(funnel.suppressed, 4);
  EXPECT_EQ(funnel.not_drawn, 2);
  EXPECT_EQ(funnel.over_quota, 1);
  expect_by("month",
            R"(SELECT "suppressed", "not_drawn", "over_quota" FROM "survey_report_funnel")",
            {{"4", "2", "1"}});
}

TEST_P(LedgerInReports, TellApartWhyACustomerHasNoInvitation) {
  put_row("A0", State::sent, 70);  // not pulled
  Told closed{1, kFirst, "A1"}, out{2, kFirst, "A2"}, mailed = finished(3, kFirst, "", 9);
  closed.closed = kFirst + 48h;
  out.opted_out = kFirst + 1h;
  Told late = finished(5, kFirst, "", 9);  // by a link, without a mail
  late.invited = {};
  Told over{6, kFirst, "A6", "", kFirst + 1h};  // invited, then closed
  over.closed = kFirst + 48h;
  save({closed, out, mailed, {4, kFirst, "A4"}, late, over});
  ReportReading reading(database, shape, "");
  const auto funnel = reading.lines(kYear, {}).at(0).funnel;
  EXPECT_EQ(funnel.sent, 7);
  EXPECT_EQ(funnel.unlisted, 1);
  EXPECT_EQ(funnel.never_invited, 3);
  EXPECT_EQ(funnel.invited, 2);
  expect_by("month",
            R"(SELECT "sent", "invited", "never_invited", "unlisted" FROM "survey_report_funnel")",
            {{"7", "2", "3", "1"}});
}

TEST_P(LedgerInReports, CountTheStatusesOfCustomersWithoutAnInvitation) {
  std::vector<mapping::Record> customers;
  const auto told = [&](std::int64_t id, std::int64_t code, const std::string& name) {
    auto customer = record_of({id, kFirst, "A" + std::to_string(id)});
    auto& status =
        customer.at("Status").records.emplace_back(*customer.resource->find("Status")->of);
    status.set("StatusCode", code);
    if (!name.empty()) status.set("StatusName", name);
    customers.push_back(std::move(customer));
  };
  told(1, 7, "Locked"), told(2, 7, "Locked"), told(3, 9, ""), told(4, 8, "locked");
  customers.push_back(record_of(finished(5, kFirst, "", 9)));
  save(mapping::customer(), customers);
  Texts statuses;
  for (const auto& [status, rows] : ReportReading(database, shape, "orders").not_invited(kYear))
    statuses.push_back({status, std::to_string(rows)});
  EXPECT_EQ(statuses, (Texts{{"Locked", "2"}, {"status 9", "1"}, {"locked", "1"}}));
}

TEST_P(LedgerInReports, CountWhatAPersonDropsAsSuppressed) {
  save(std::vector<Told>{});
  Ledger ledger(database);
  ledger.set_aside("orders", State::quarantined, {{"A1", "no address"}, {"A2", "no address"}});
  ledger.drop("orders", {"A1"}, "dropped");
  EXPECT_EQ(counted(), (Texts{{"2", "1", "1", "0", "0", "0"}}));
}

INSTANTIATE_TEST_SUITE_P(Databases, LedgerInReports, every_dialect(), server_name);

}  // namespace
}  // namespace surveybridge::crm
