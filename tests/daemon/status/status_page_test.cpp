// The status page and the metrics as text.
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "daemon/metrics/registry.hpp"
#include "daemon/status/metrics.hpp"
#include "daemon/status/page.hpp"
#include "tests/support/paths.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;

StatusReport shop() {
  StatusReport report;
  report.overview.tables = crm::Tables::whole;
  report.overview.now = TimePoint{std::chrono::sys_days{std::chrono::year{2026} / 11 / 20}};
  report.overview.counts = {{"orders", crm::State::sent, 12}, {"orders", crm::State::held, 1}};
  crm::StoredWalk walk;
  walk.list = "customers";
  walk.walk = "LastActivityDate";
  walk.finished_at = report.overview.now - std::chrono::seconds{90};
  crm::StoredWalk first;
  first.list = "ratings";
  first.walk = "ReviewApprovedDate";
  first.window_to = report.overview.now;
  first.begun_at = report.overview.now - std::chrono::hours{50};
  report.overview.walks = {walk, first};
  report.overview.oldest = {{"orders", "in_doubt", report.overview.now - std::chrono::minutes{5}}};
  report.overview.writes = {{"customers", "orders", 8, 7, 6, 5}};
  report.overview.waiting_writes = {{"customers", 9, report.overview.now - std::chrono::hours{3}}};
  report.overview.write_queue = {{"customers", 12, report.overview.now - std::chrono::minutes{2}}};
  report.waiting = {{"orders", 3, 2, "the first run", 4}};
  report.waiting[0].window_open = false;
  report.waiting[0].swept = {"orders", {}, report.overview.now - std::chrono::seconds{30}, 0, {}};
  crm::PaceRow pace;
  pace.owner = "one";
  pace.all.per_second = 19.5;
  pace.live_until = report.overview.now + std::chrono::seconds{60};
  pace.held_until = report.overview.now + std::chrono::minutes{10};
  pace.waiting = "push.orders";
  crm::PaceRow gone = pace;
  gone.owner = "two";
  gone.live_until = report.overview.now;
  report.overview.paces = {pace, gone};
  report.overview.verify_results = {
      {"orders", report.overview.now - std::chrono::minutes{2}, 40, 1, 3},
      {"uncorrelated", report.overview.now, 5, 0, std::nullopt}};
  report.overview.unreadable = {{"customers", 2}};
  report.walks = {{"customers", "LastActivityDate", std::chrono::minutes{5}}};
  return report;
}

std::vector<JobState> jobs(const std::string& trouble) {
  JobStatus status;
  status.done = 7;
  status.trouble = trouble;
  return {{"push.orders", status}};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const AboutDaemon kAbout{"1.2.3", "crm-host", std::chrono::hours{5}};

// Without the names of the columns that each cell has for narrow screens.
std::string page_text(const StatusReport* report, const std::vector<JobState>& jobs) {
  return std::regex_replace(page_of(report, jobs, kAbout), std::regex(" data-name=\"[^\"]*\""), "");
}

StatusReport well() {
  StatusReport report = shop();
  report.overview.counts = {{"orders", crm::State::sent, 12}};
  report.overview.verify_results.clear();
  report.overview.unreadable.clear();
  report.waiting = {{"orders", 3, 0, "", 0}};
  return report;
}

TEST(StatusPage, ShowsWhatStandsWhere) {
  const StatusReport report = shop();
  const std::string page = page_text(&report, jobs(""));
  for (const char* part :
       {"<td><a href=\"/doubts\">held</a></td><td>1</td>",
        "<td>waiting</td><td>3</td><td>the first run", "<td>never listed</td><td>4</td>",
        "customers.LastActivityDate",
        "<td>push.orders</td><td>well</td><td></td><td>now</td><td>7 rows</td>",
        "<td>40</td><td>1</td><td>3</td>", "<td>5</td><td>0</td><td>not compared</td>",
        "<td>one</td><td>19.5 a second</td><td>never</td><td>2026-11-20T00:10:00Z</td>"
        "<td>push.orders</td>",
        "surveybridge on crm-host", "surveybridge 1.2.3, up 5 h, as of 2026-11-20T00:00:00Z"})
    EXPECT_TRUE(has(page, part)) << part << "\n" << page;
  EXPECT_FALSE(has(page, "<td>two</td>")) << "it is gone";
}

TEST(StatusPage, NamesTheStatementThatAStepWaitsFor) {
  const StatusReport report = well();
  auto waiting = jobs("");
  waiting[0].step_for = std::chrono::seconds{12};
  waiting[0].statement = "the database has not answered \"SELECT orders\" for 11 s";
  EXPECT_TRUE(has(page_text(&report, waiting),
                  "<td>in a step: the database has not answered &quot;SELECT orders&quot; for 11"
                  " s</td>"));
}

TEST(StatusPage, ShowsTheRatesOfBothLanesWhereTheyAreApart) {
  StatusReport report = shop();
  report.overview.paces.at(0).read = crm::PaceRow::Rate{40, 40};
  EXPECT_TRUE(has(page_text(&report, {}), "<td>19.5 a second writing, 40.0 reading</td>"));
  const std::string metrics = metrics_of({&report, {}, true}, {});
  EXPECT_TRUE(has(metrics, "surveybridge_pace{bridge_instance=\"one\",lane=\"write\"} 19.5\n"));
  EXPECT_TRUE(has(metrics, "surveybridge_pace{bridge_instance=\"one\",lane=\"read\"} 40\n"));
}

TEST(StatusPage, EscapesWhatItShows) {
  const StatusReport report;
  const std::string page = page_text(&report, jobs("<script>alert(\"x\") & more</script>"));
  EXPECT_FALSE(has(page, "<script>"));
  EXPECT_TRUE(has(page, "&lt;script&gt;alert(&quot;x&quot;) &amp; more"));
}

TEST(StatusPage, BeginsWithTheVerdict) {
  const StatusReport fine = well();
  EXPECT_TRUE(has(page_text(&fine, jobs("")), "<b>Well.</b> 3 transactions to send.</p>"));
  auto waiting = jobs("HTTP 503");
  waiting[0].status.fault = JobStatus::Fault::unreachable;
  waiting[0].trouble_for = std::chrono::seconds{130};
  waiting[0].next_in = std::chrono::seconds{70};
  const std::string waits = page_text(&fine, waiting);
  EXPECT_TRUE(has(waits, "<b>Waits.</b> push.orders: HTTP 503</p>")) << waits;
  EXPECT_TRUE(has(waits, "<td>waits: HTTP 503</td><td>2 min</td><td>in 70 s</td>")) << waits;
  EXPECT_FALSE(has(waits, "What to do"));
  const std::string away = page_text(nullptr, jobs(""));
  EXPECT_TRUE(has(away, "<b>Waits.</b> The database does not answer.")) << away;
  EXPECT_TRUE(has(away, "<td>push.orders</td>")) << "the jobs are known all the same";
}

TEST(StatusPage, SaysWhatToDoWithTheCommandToType) {
  const StatusReport report = shop();
  auto refused = jobs("the token is refused");
  refused[0].name = "pull.customers.LastActivityDate";
  refused[0].status.fault = JobStatus::Fault::configuration;
  const std::string page = page_text(&report, refused);
  EXPECT_TRUE(has(page, "<b>Needs a person.</b> 7 things do not improve by themselves.")) << page;
  for (const char* need :
       {"<li>orders: the brake holds: the first run<br><code>surveybridge release orders</code>",
        "<li>orders: the service does not list 4 transactions that were sent<br>"
        "<code>surveybridge verify</code>",
        "<li>orders: 2 transactions appeared when they were older than look_back",
        "<li><a href=\"/doubts\">orders: 1 transaction held, which may be at the service or "
        "not</a><br>"
        "<code>surveybridge doubt list</code>",
        "<li>customers: 2 records cannot be read",
        "<li>orders: the last verify found 1 transaction not accounted for and 3 differences",
        "<li>pull.customers.LastActivityDate: the token is refused<br>"
        "<code>surveybridge check</code>"})
    EXPECT_TRUE(has(page, need)) << need << "\n" << page;
}

TEST(StatusPage, SaysThatTheServiceIsAwayThoughSomethingElseNeedsAPerson) {
  const StatusReport report = shop();
  auto away = jobs("not connected");
  away[0].status.fault = JobStatus::Fault::unreachable;
  const std::string page = page_text(&report, away);
  EXPECT_TRUE(has(page,
                  "6 things do not improve by themselves. Besides, one job waits: push.orders: not"
                  " connected</p>"))
      << page;
}

TEST(StatusPage, NamesEveryJobThatWaits) {
  auto away = jobs("not connected");
  away[0].status.fault = JobStatus::Fault::unreachable;
  away.resize(4, away[0]);
  away[1].name = "pull.customers.LastActivityDate";
  away[2].name = "pull.ratings.ReviewApprovedDate";
  away[2].status.trouble = "HTTP 429";
  away[3].status.trouble = "";
  const std::string all =
      "push.orders, pull.customers.LastActivityDate: not connected; "
      "pull.ratings.ReviewApprovedDate: HTTP 429</p>";
  const StatusReport fine = well();
  EXPECT_TRUE(has(page_text(&fine, away), "<b>Waits.</b> " + all)) << page_text(&fine, away);
  const StatusReport report = shop();
  EXPECT_TRUE(has(page_text(&report, away), " Besides, 3 jobs wait: " + all));
}

TEST(StatusPage, NamesTheFileThatACommandIsToRead) {
  const StatusReport report = shop();
  const AboutDaemon about{"1.2.3", "crm-host", std::chrono::hours{5}, "/etc/surveybridge/b&b.toml"};
  EXPECT_TRUE(has(page_of(&report, jobs(""), about),
                  "<code>surveybridge verify -c &#39;/etc/surveybridge/b&amp;b.toml&#39;</code>"))
      << page_of(&report, jobs(""), about);
}

TEST(StatusPage, SaysThatAReloadRefusedTheFile) {
  const StatusReport report = well();
  AboutDaemon about = kAbout;
  EXPECT_FALSE(has(page_of(&report, jobs(""), about), "Needs a person"));
  about.refused = true;
  const std::string page = page_of(&report, jobs(""), about);
  EXPECT_TRUE(has(page, "<b>Needs a person.</b> One thing does not improve by itself.")) << page;
  EXPECT_TRUE(has(page, "The last reload refused the configuration file")) << page;
  EXPECT_TRUE(has(page, "<code>surveybridge check</code>")) << page;
}

// A job that waits because the brake holds is not named a second time.
TEST(StatusPage, NamesTheBrakeOnce) {
  StatusReport report = well();
  report.waiting[0].brake = "the first run";
  auto braked = jobs("the brake holds: the first run");
  braked[0].status.fault = JobStatus::Fault::person;
  EXPECT_EQ(needs_of(&report, braked).size(), 1u);
  EXPECT_EQ(needs_of(nullptr, braked).size(), 1u) << "the database is away, and the job says it";
}

TEST(StatusPage, TellsABatchOnItsWayFromOneWhoseInstanceHasEnded) {
  StatusReport report = well();
  crm::Ledger::Batch batch;
  batch.owner = "one";
  EXPECT_EQ(outcome_text(batch, report.overview), "no answer came");
  report.overview.tables = crm::Tables::older;
  EXPECT_EQ(outcome_text(batch, report.overview), "no answer yet") << "nobody knows";
  report.overview.tables = crm::Tables::whole;
  report.overview.leases = {{"instance:one", "one", 1, report.overview.now}};
  EXPECT_EQ(outcome_text(batch, report.overview), "no answer yet");
  batch.answer.outcome = crm::Outcome::accepted;
  EXPECT_EQ(outcome_text(batch, report.overview), "accepted");
}

TEST(StatusPage, SaysWhatBecameOfABatchWithoutACertainAnswer) {
  StatusReport report = well();
  report.overview.tables = crm::Tables::whole;
  crm::Ledger::Batch batch;
  batch.id = "b1";
  batch.rows = 5;
  batch.answer.outcome = crm::Outcome::unknown;
  EXPECT_EQ(outcome_text(batch, report.overview), "unknown");
  report.overview.states_of_batches["b1"] = {{crm::State::sent, 3}, {crm::State::held, 1}};
  EXPECT_EQ(outcome_text(batch, report.overview),
            "unknown, now 3 sent, 1 held, 1 in a later batch");
  batch.answer.outcome = crm::Outcome::none;
  EXPECT_EQ(outcome_text(batch, report.overview),
            "no answer came, now 3 sent, 1 held, 1 in a later batch");
  report.overview.leases = {{"instance:" + batch.owner, "", 1, report.overview.now}};
  EXPECT_EQ(outcome_text(batch, report.overview), "no answer yet");
}

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

TEST(Metrics, SayEverySampleOnce) {
  const StatusReport report = shop();
  const std::string text = metrics_of({&report, {}, true}, jobs("HTTP 503"));
  for (const char* line :
       {"surveybridge_transactions{push=\"orders\",state=\"sent\"} 12\n",
        "surveybridge_waiting{push=\"orders\"} 3\n",
        "surveybridge_too_old{push=\"orders\"} 2\n",
        "surveybridge_brake{push=\"orders\"} 1\n",
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

constexpr const char* kMetricsOpening = R"(# Metrics

Generated from the code by `tests/daemon/status`; do not edit it. After a change there, run
`BRIDGE_UPDATE_GOLDEN=1 build/dev/bin/daemon_tests --gtest_filter='Metrics.*'`.

`[status] listen` serves them at `/metrics`, in Prometheus' text format. Those up to `surveybridge_report_age_seconds` are of the
daemon's memory: its counters and histograms begin at the start of the process, and a reload does not change them. The others come
from the database. While it does not answer (`surveybridge_database_up` is 0), the last known values stay, and
`surveybridge_report_age_seconds` says how old they are. Labels are names of pushes, lists, walks, jobs, instances and tables, never
a key or an address. Not every metric has a sample at every moment.

`monitoring/` has alert rules and a Grafana board over them; `docs/RUNBOOK.md` says what to do about an alert.

- `code` of a request is its HTTP status, or `connection`, `timeout`, `incomplete`, `too_large`, `stopped`; `operation` is `add`,
  `customers`, `ratings`, `bouncers`, `columns`, `statuses`, `token` or `other`.
- `outcome` of a row is `sent`, `not_sent` (certainly; it goes again), `in_doubt`, `held`, `quarantined`, `suppressed`, `delayed`, or
  `found` (at the service, after a doubt).
- `cause` of a wait is `rate`, `slot`, `refused` (a refusal, or the service asked to wait), or `failures` (several in a row).

| Metric | Type | Labels | Meaning |
|---|---|---|---|
)";

// "push, state" of a sample `name{push="orders",state="sent"} 12`.
std::string labels_in(const std::string& sample) {
  std::string labels;
  for (auto at = sample.find("=\""); at != std::string::npos; at = sample.find("=\"", at + 1)) {
    const auto begin = sample.find_last_of("{,", at) + 1;
    labels += (labels.empty() ? "" : ", ") + sample.substr(begin, at - begin);
  }
  return labels;
}

// One row for each metric that the text has.
std::string metrics_page(const std::string& text) {
  std::string page = kMetricsOpening;
  std::istringstream lines(text);
  std::string name, help, type;
  for (std::string line; std::getline(lines, line);) {
    const auto word = [&](std::size_t from) { return line.find(' ', from) + 1; };
    if (line.starts_with("# HELP ")) {
      name = line.substr(7, word(7) - 8);
      help = line.substr(word(7));
    } else if (line.starts_with("# TYPE ")) {
      type = line.substr(word(7));
    } else if (!type.empty()) {
      page += "| `" + name + "` | " + type + " | " + labels_in(line) + " | " + help + " |\n";
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
  const std::string file = support::source_dir() + "/docs/METRICS.md";
  if (std::getenv("BRIDGE_UPDATE_GOLDEN") != nullptr) std::ofstream(file) << page;
  std::ostringstream there;
  there << std::ifstream(file).rdbuf();
  EXPECT_EQ(there.str(), page) << "docs/METRICS.md says how to write it anew";
  std::size_t types = 0, rows = 0;
  for (auto at = text.find("# TYPE "); at != std::string::npos; at = text.find("# TYPE ", at + 1))
    ++types;
  for (auto at = page.find("\n| `"); at != std::string::npos; at = page.find("\n| `", at + 1))
    ++rows;
  EXPECT_EQ(types, rows) << "shop() and counted() have a sample of each metric";
}

}  // namespace
