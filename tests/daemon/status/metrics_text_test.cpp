// The metrics as text.
#include <sstream>
#include <utility>

#include <gtest/gtest.h>

#include "daemon/metrics/registry.hpp"
#include "daemon/status/metrics.hpp"
#include "daemon/status/needs.hpp"
#include "tests/daemon/status/sample_status.hpp"
#include "tests/support/generated_section.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using namespace sample_status;

// One wrong secret stops every job.
TEST(StatusPage, NamesOnceWhatSeveralJobsSay) {
  auto stopped = jobs("HTTP 401");
  stopped[0].status.fault = JobStatus::Fault::configuration;
  stopped.push_back(stopped[0]);
  stopped[1].name = "pull.customers.LastActivityDate";
  stopped.push_back(stopped[0]);
  stopped[2].name = "write.customers";
  stopped[2].status.trouble = "there is no table";
  const auto needs = needs_of(nullptr, stopped);
  ASSERT_EQ(needs.size(), 2u);
  EXPECT_EQ(needs[0].what, "push.orders, pull.customers.LastActivityDate: HTTP 401");
  EXPECT_EQ(needs[0].command, "surveybridge check");
  EXPECT_EQ(needs[1].what, "write.customers: there is no table");
}

// The rule SurveybridgeJobTrouble says the same.
TEST(StatusPage, NeedsAPersonForATroubleThatShouldHaveEndedLongAgo) {
  auto away = jobs("not connected");
  away[0].status.fault = JobStatus::Fault::unreachable;
  away[0].trouble_for = std::chrono::hours{2};
  EXPECT_TRUE(needs_of(nullptr, away).empty());
  *away[0].trouble_for += std::chrono::seconds{1};
  ASSERT_EQ(needs_of(nullptr, away).size(), 1u);
  EXPECT_EQ(needs_of(nullptr, away)[0].command, "surveybridge check");
}

TEST(StatusPage, NeedsAPersonForWhatVerifyFoundBesidesNumbers) {
  StatusReport report;
  report.overview.verify_results = {{"orders", {}, 5, 0, 0, ""}};
  EXPECT_TRUE(needs_of(report).empty());
  report.overview.verify_results[0].besides = "2 rows have no key";
  ASSERT_EQ(needs_of(report).size(), 1u);
  EXPECT_EQ(needs_of(report)[0].what, "orders: the last verify found 2 rows have no key");
}

TEST(Metrics, SayEverySampleOnce) {
  const StatusReport report = shop();
  const std::string text = metrics_of({&report, {}, true}, jobs("HTTP 503"));
  for (const char* line :
       {"surveybridge_transactions{push=\"orders\",state=\"sent\"} 12\n",
        "surveybridge_waiting{push=\"orders\"} 3\n",
        "surveybridge_too_old{push=\"orders\"} 2\n",
        "surveybridge_brake{push=\"orders\"} 1\n",
        "surveybridge_too_few{push=\"orders\"} 0\n",
        "surveybridge_walk_silent{list=\"customers\",walk=\"LastActivityDate\"} 0\n",
        "surveybridge_never_listed{push=\"orders\"} 4\n",
        "surveybridge_pace{bridge_instance=\"one\",lane=\"all\"} 19.5\n",
        "surveybridge_pace_held_seconds{bridge_instance=\"one\"} 600\n",
        "surveybridge_walk_age_seconds{list=\"customers\","
        "walk=\"LastActivityDate\"} 90\n",
        "surveybridge_first_walk_age_seconds{list=\"ratings\","
        "walk=\"ReviewApprovedDate\"} 180000\n",
        "surveybridge_job_trouble{bridge_job=\"push.orders\"} 1\n",
        "surveybridge_job_done_total{bridge_job=\"push.orders\"} 7\n",
        "surveybridge_verify_differences{push=\"orders\"} 3\n",
        "surveybridge_verify_unaccounted{push=\"orders\"} 1\n",
        "surveybridge_verify_age_seconds{push=\"orders\"} 120\n",
        "surveybridge_verify_unaccounted{push=\"uncorrelated\"} 0\n",
        "surveybridge_oldest_transaction_age_seconds{push=\"orders\",state=\"in_doubt\"} 300\n",
        "surveybridge_writes_total{list=\"customers\",table=\"orders\",outcome=\"written\"} 8\n",
        "surveybridge_unwritten_records{list=\"customers\",table=\"orders\",column=\"state\","
        "reason=\"the column takes no NULL\"} 3\n",
        "surveybridge_write_backs_waiting{list=\"customers\"} 9\n",
        "surveybridge_write_queue_changes{list=\"customers\"} 12\n",
        "surveybridge_write_queue_age_seconds{list=\"customers\"} 120\n",
        "surveybridge_oldest_write_back_age_seconds{list=\"customers\"} 10800\n",
        "surveybridge_send_window_open{push=\"orders\"} 0\n",
        "surveybridge_walk_interval_seconds{list=\"customers\",walk=\"LastActivityDate\"} 300\n",
        "surveybridge_sweep_age_seconds{push=\"orders\"} 30\n",
        "surveybridge_job_stuck{bridge_job=\"push.orders\"} 0\n",
        "surveybridge_database_up 1\n"})
    EXPECT_TRUE(has(text, line)) << line << "\n" << text;
}

TEST(Metrics, TellThatTooLittleComes) {
  StatusReport report = shop();
  report.waiting.at(0).too_few = TooFew{1, 3, 61};
  report.silent = {{"customers", "LastActivityDate", {2, 0, 40}}};
  const std::string text = metrics_of({&report, {}, true}, {});
  EXPECT_TRUE(has(text, "surveybridge_too_few{push=\"orders\"} 1\n")) << text;
  EXPECT_TRUE(
      has(text, "surveybridge_walk_silent{list=\"customers\",walk=\"LastActivityDate\"} 1\n"))
      << text;
  EXPECT_TRUE(
      has(text, "surveybridge_walk_silent{list=\"ratings\",walk=\"ReviewApprovedDate\"} 0\n"))
      << text;
}

TEST(Metrics, KeepTheLastReportWhichGrowsOld) {
  const StatusReport report = shop();
  const std::string text = metrics_of({&report, std::chrono::minutes{5}, false}, jobs(""));
  for (const char* line : {"surveybridge_database_up 0\n", "surveybridge_report_age_seconds 300\n",
                           "surveybridge_transactions{push=\"orders\",state=\"sent\"} 12\n",
                           "surveybridge_verify_age_seconds{push=\"orders\"} 420\n",
                           "surveybridge_pace_held_seconds{bridge_instance=\"one\"} 300\n"})
    EXPECT_TRUE(has(text, line)) << line << "\n" << text;
  EXPECT_FALSE(has(metrics_of({}, jobs("")), "report_age")) << "there is none yet";
}

TEST(Metrics, TellOfJobsThatAreThere) {
  Registry registry("1.2.3");
  registry.step("push.orders", std::chrono::seconds{1}, true);
  registry.step("push.former", std::chrono::seconds{1}, true);
  auto stuck = jobs("has been in one step for 200 s");
  stuck[0].stuck = true;
  stuck[0].trouble_for = std::chrono::seconds{90};
  const std::string text = metrics_of({}, stuck, registry.collect());
  EXPECT_TRUE(has(text, "last_success_timestamp_seconds{bridge_job=\"push.orders\"}")) << text;
  EXPECT_FALSE(has(text, "last_success_timestamp_seconds{bridge_job=\"push.former\"}")) << text;
  EXPECT_TRUE(has(text, "step_duration_seconds_count{bridge_job=\"push.former\"} 1\n")) << text;
  EXPECT_TRUE(has(text, "surveybridge_job_stuck{bridge_job=\"push.orders\"} 1\n")) << text;
  EXPECT_TRUE(has(text, "surveybridge_job_trouble_seconds{bridge_job=\"push.orders\"} 90\n"))
      << text;
}

constexpr const char* kOfTheProcess =
    " | |  | Of the process, as Prometheus' own libraries have them. |\n";
constexpr const char* kMetricsHead = "| Metric | Type | Labels | Meaning |\n|---|---|---|---|\n";

// "push, state" of a sample `name{push="orders",state="sent"} 12`.
std::string labels_in(const std::string& sample) {
  std::string labels;
  for (auto at = sample.find("=\""); at != std::string::npos; at = sample.find("=\"", at + 1)) {
    const auto begin = sample.find_last_of("{,", at) + 1;
    labels += (labels.empty() ? "" : ", ") + sample.substr(begin, at - begin);
  }
  return labels;
}

// A row for each metric that the text has; those of the process, which are Prometheus' own, have
// one together.
std::string metrics_page(const std::string& text) {
  std::string page = kMetricsHead;
  std::istringstream lines(text);
  std::string name, help, type, of_process;
  for (std::string line; std::getline(lines, line);) {
    const auto word = [&](std::size_t from) { return line.find(' ', from) + 1; };
    if (line.starts_with("# HELP ")) {
      name = line.substr(7, word(7) - 8);
      help = line.substr(word(7));
    } else if (line.starts_with("# TYPE ")) {
      type = line.substr(word(7));
    } else if (!type.empty()) {
      const bool is_ours = name.starts_with("surveybridge_");
      if (is_ours && !of_process.empty())
        page += "| " + std::exchange(of_process, "") + kOfTheProcess;
      if (is_ours)
        page += "| `" + name + "` | " + type + " | " + labels_in(line) + " | " + help + " |\n";
      else
        of_process += (of_process.empty() ? "`" : ", `") + name + "`";
      type.clear();
    }
  }
  return page;
}

// With a sample of everything that it counts.
MetricFamilies counted() {
  Registry registry("1.2.3");
  registry.configuration(true);
  registry.request({"add", "200", {}, 1, 1});
  registry.certificate(1);
  registry.rows("orders", "sent", 1);
  registry.page("customers", "LastActivityDate", 1);
  registry.database_call("push.orders", {}, false);
  registry.step("push.orders", {}, true);
  return registry.collect();
}

TEST(Metrics, PageIsCurrent) {
  const StatusReport report = shop();
  const std::string text = metrics_of({&report, {}, true}, jobs("HTTP 503"), counted());
  const std::string page = metrics_page(text);
  support::expect_section("docs/RUNBOOK.md", "metrics", page);
  const std::string opening = "# TYPE ";
  for (auto at = text.find(opening); at != std::string::npos; at = text.find(opening, at + 1)) {
    const auto begin = at + opening.size();
    const std::string name = text.substr(begin, text.find(' ', begin) - begin);
    EXPECT_NE(page.find("`" + name + "`"), std::string::npos)
        << "shop() and counted() have a sample of each metric: " << name;
  }
}

}  // namespace
