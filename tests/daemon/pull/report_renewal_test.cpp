// After an upgrade the stored customers are taken into the reports beside the pages: none of both
// stops the other.
#include <algorithm>

#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

class ReportRenewal : public in_process::Shop {
 protected:
  static constexpr int kOld = 10'000, kNew = 150;
  void SetUp() override {
    const auto pulls = settings_.pulls;
    settings_.pulls.clear();
    for (int i = 1; i <= kNew; ++i)
      order(std::to_string(i));
    sync();
    settings_.pulls = pulls;
    settings_.pulls.at(0).limit = 10;
    // Customers that a version without reports has stored.
    sql("WITH RECURSIVE n(i) AS (SELECT 1000000000 UNION ALL SELECT i + 1 FROM n WHERE i < " +
        std::to_string(1'000'000'000 + kOld - 1) +
        ") INSERT INTO survey_customer (id, digest, changed_at, transaction_date)"
        " SELECT i, 'old', '2026-10-01T00:00:00.000000Z', '2026-10-01T00:00:00.000000Z' FROM n");
  }
};

TEST_F(ReportRenewal, GoesOnBesideThePages) {
  in_process::Instance daemon(settings_, outside_, seed_);
  const std::string pulled = "SELECT COUNT(*) FROM survey_customer WHERE id < 1000000000",
                    noted =
                        "SELECT COUNT(*) FROM survey_invitation WHERE customer_id >= 1000000000";
  int pages_while_renewing = 0, renewals_while_pulling = 0;
  std::int64_t pulled_before = number(pulled), noted_before = 0;
  const auto end = clock_.now + 24h;
  while (daemon.next() < end && (pulled_before < kNew || noted_before < kOld)) {
    daemon.step();
    const auto pulled_now = number(pulled), noted_now = number(noted);
    pages_while_renewing += pulled_now > pulled_before && noted_now < kOld ? 1 : 0;
    renewals_while_pulling += noted_now > noted_before && pulled_now < kNew ? 1 : 0;
    EXPECT_LE(noted_now - noted_before, 200) << "a step takes too long";
    pulled_before = pulled_now;
    noted_before = noted_now;
  }
  EXPECT_EQ(pulled_before, kNew);
  EXPECT_EQ(noted_before, kOld);
  EXPECT_GT(pages_while_renewing, 3) << "the pages waited for the renewal";
  EXPECT_GT(renewals_while_pulling, 3) << "the renewal waited for the pages";
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_invitation"), kOld + kNew);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_report_customer"), kOld + kNew);
}

// A daemon that was stopped goes on where the renewal was.
TEST_F(ReportRenewal, GoesOnAfterARestart) {
  const std::string noted =
      "SELECT COUNT(*) FROM survey_invitation WHERE customer_id >= 1000000000";
  std::int64_t most = 0;
  for (int start = 0; start < 99 && number(noted) < kOld; ++start) {
    in_process::Instance daemon(settings_, outside_, seed_ + static_cast<std::uint64_t>(start));
    const auto before = number(noted);
    while (number(noted) == before)
      daemon.step();
    most = std::max(most, number(noted) - before);
    daemon.leave();
  }
  EXPECT_EQ(number(noted), kOld);
  EXPECT_LE(most, 200);
}

class WithoutReports : public in_process::Shop {};

TEST_F(WithoutReports, IsSaidOnceAndThePullGoesOn) {
  order("1");
  sync();
  sql("DROP VIEW survey_report_text");
  sql("UPDATE survey_report_state SET value = '' WHERE name = 'views'");
  in_process::Instance daemon(settings_, outside_, seed_);
  daemon.run_until(clock_.now + 2h);
  const auto told = std::ranges::count_if(daemon.log().lines(), [](const std::string& line) {
    return line.find(
               "the tables and views for reports cannot be kept up to date: the database has a"
               " table \"survey_report_customer\"") != std::string::npos;
  });
  EXPECT_EQ(told, 1);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 1) << "the pull goes on";
}

}  // namespace
