// The status page as text.
#include <regex>

#include <gtest/gtest.h>

#include "daemon/status/metrics.hpp"
#include "daemon/status/page.hpp"
#include "tests/daemon/status/sample_status.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using namespace sample_status;

DaemonState daemon_with(std::vector<JobState> jobs, const std::string& file = "") {
  return {std::move(jobs), "", "1.2.3", "crm-host", std::chrono::hours{5}, file};
}

// Without the names of the columns that each cell has for narrow screens.
std::string page_text(const StatusReport* report, const std::vector<JobState>& jobs) {
  return std::regex_replace(page_of(report, daemon_with(jobs)), std::regex(" data-name=\"[^\"]*\""),
                            "");
}

StatusReport well() {
  StatusReport report = shop();
  report.overview.counts = {{"orders", crm::State::sent, 12}};
  report.overview.verify_results.clear();
  report.overview.unreadable.clear();
  report.overview.unwritten.clear();
  report.waiting = {{"orders", 3, 0, "", 0}};
  return report;
}

TEST(StatusPage, ShowsWhatStandsWhere) {
  const StatusReport report = shop();
  const std::string page = page_text(&report, jobs(""));
  for (const char* part :
       {"<td><a href=\"/doubts\">held</a></td><td>1</td>", "<td>waiting</td><td>3</td><td></td>",
        "<td>brake holds</td><td></td><td>the first run: see surveybridge release orders</td>",
        "<td>never listed</td><td>4</td>", "customers.LastActivityDate",
        "<td>push.orders</td><td>the brake holds</td><td></td><td>now</td><td>7 rows</td>",
        "<td>orders.state</td><td>3</td><td>the column takes no NULL</td>",
        "3 records not written into orders.state: the column takes no NULL",
        "surveybridge <span>write-back</span> customers", "<td>40</td><td>1</td><td>3</td>",
        "<td>5</td><td>0</td><td>not compared</td>",
        "<td>customers &gt; unhappy</td><td>14</td><td>2026-11-19T23:35:00Z</td>",
        "<td>one</td><td>19.5 a second</td><td>never</td><td>2026-11-20T00:10:00Z</td>"
        "<td>push.orders</td>",
        "surveybridge on crm-host", "surveybridge 1.2.3, up 5 h</footer>",
        "As of 2026-11-20T00:00:00Z.</p>"})
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
  EXPECT_TRUE(has(page, "<b>Needs a person.</b> 8 things do not improve by themselves.")) << page;
  for (const char* need :
       {"<li>orders: the brake holds: the first run<br><code>surveybridge release orders</code>",
        "<li>orders: the service does not list 4 transactions that were sent<br>"
        "<code>surveybridge verify</code>",
        "<li>orders: 2 transactions appeared when they were older than look_back",
        "<li><a href=\"/doubts\">orders: 1 transaction held, which may be at the service or "
        "not</a><br>"
        "<code>surveybridge doubt list</code>",
        "<li>customers: 3 records not written into orders.state: the column takes no NULL; write "
        "them again once that is mended<br><code>surveybridge <span>write-back</span> "
        "customers</code>",
        "<li>customers: 2 records cannot be read",
        "<li>orders: the last verify found 1 transaction not accounted for and 3 differences",
        "<li>pull.customers.LastActivityDate: the token is refused<br>"
        "<code>surveybridge check</code>"})
    EXPECT_TRUE(has(page, need)) << need << "\n" << page;
}

TEST(StatusPage, SaysThatTooLittleComesAndWhereToLook) {
  StatusReport report = well();
  report.waiting.at(0).too_few = TooFew{1, 3, 61, report.overview.now - std::chrono::hours{20}};
  report.waiting.at(0).swept = {"orders", {}, report.overview.now, 59, {}};
  report.silent = {{"customers", "LastActivityDate", {2, 0, 40}}};
  const std::string page = page_text(&report, jobs(""));
  for (const char* part :
       {"<b>Needs a person.</b> 2 things do not improve by themselves.",
        "<li>orders: too few come: 3 transactions in the last 24 hours instead of 61; the last"
        " one in the hour of 2026-11-19T04:00:00Z; the query finds 59 rows in its window; its"
        " conditions may no longer fit the CRM, as where a state has another name<br>"
        "<code>surveybridge check</code>",
        "<li>customers.LastActivityDate: too few come: 0 new records in the last 2 days instead of "
        "40"
        "<br><code>surveybridge check</code>",
        "<td>too few</td><td>3</td>"})
    EXPECT_TRUE(has(page, part)) << part << "\n" << page;
}

TEST(StatusPage, SaysThatTheServiceIsAwayThoughSomethingElseNeedsAPerson) {
  const StatusReport report = shop();
  auto away = jobs("not connected");
  away[0].status.fault = JobStatus::Fault::unreachable;
  const std::string page = page_text(&report, away);
  EXPECT_TRUE(has(page,
                  "7 things do not improve by themselves. Besides, one job waits: push.orders: not"
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
  const auto page = page_of(&report, daemon_with(jobs(""), "/etc/surveybridge/b&b.toml"));
  EXPECT_TRUE(has(
      page,
      "<code>surveybridge verify <span>-c</span> &#39;/etc/surveybridge/b&amp;b.toml&#39;</code>"))
      << page;
  EXPECT_TRUE(has(page, "see surveybridge release orders -c &#39;/etc/surveybridge/b&amp;b.toml"))
      << page;
}

TEST(StatusPage, ShowsWhatWasWrittenBackAndWhatWaits) {
  const StatusReport report = shop();
  const std::string page = page_text(&report, jobs(""));
  for (const char* part :
       {"<td>customers &gt; orders</td><td>rows changed</td><td>8</td>",
        "<td>met no row</td><td>7</td>", "<td>met several rows</td><td>6</td>",
        "<td>did not fit</td><td>5</td>",
        "<td>customers</td><td>wait for their row</td><td>9</td><td>2026-11-19T21:00:00Z</td>",
        "<td>queued for the CRM</td><td>12</td><td>2026-11-19T23:58:00Z</td>"})
    EXPECT_TRUE(has(page, part)) << part << "\n" << page;
}

TEST(StatusPage, ShowsWhoWasToldOfWhatSinceWhenAndWhoCouldNotBe) {
  StatusReport report = well();
  EXPECT_FALSE(has(page_text(&report, jobs("")), "<caption>Alerts"));
  const TimePoint now = report.overview.now;
  report.alerts = {{"ops", config::AlertKind::brake, "orders: the brake <holds>",
                    now - std::chrono::hours{2}, now, now - std::chrono::hours{1}},
                   {"chat", config::AlertKind::rows, "orders: 4 set aside",
                    now - std::chrono::hours{2}, now, std::nullopt, true}};
  const std::string page = page_text(&report, jobs(""));
  for (const char* part :
       {"<td>ops</td><td>brake</td><td>orders: the brake &lt;holds&gt;</td>"
        "<td>2026-11-19T22:00:00Z</td><td>2026-11-20T00:00:00Z</td><td>2026-11-19T23:00:00Z</td>",
        "<td>chat</td><td>rows</td><td>orders: 4 set aside</td><td>2026-11-19T22:00:00Z</td>"
        "<td>2026-11-20T00:00:00Z</td><td>could not be told yet</td>"})
    EXPECT_TRUE(has(page, part)) << part << "\n" << page;
}

TEST(StatusPage, ShowsTheCrmsClockBesideUtc) {
  const StatusReport report = shop();
  DaemonState daemon = daemon_with(jobs(""));
  EXPECT_FALSE(has(page_of(&report, daemon), "<small>"));
  daemon.zone = "UTC";
  EXPECT_FALSE(has(page_of(&report, daemon), "<small>"));
  daemon.zone = "Europe/Berlin";
  const std::string page = page_of(&report, daemon);
  EXPECT_TRUE(has(page, "<span>2026-11-19T23:58:30Z<br><small>2026-11-20 00:58:30</small></span>"))
      << page;
  EXPECT_TRUE(has(page, "in the CRM's zone, Europe/Berlin, 2026-11-20 01:00:00.")) << page;
}

TEST(StatusPage, LinksToTheReportWhereThereIsOne) {
  const StatusReport report = well();
  DaemonState daemon = daemon_with(jobs(""));
  EXPECT_FALSE(has(page_of(&report, daemon), "Survey report"));
  daemon.report = "/report";
  EXPECT_TRUE(has(page_of(&report, daemon), "<a href=\"/report\">Survey report</a>"));
}

TEST(StatusPage, SaysThatAReloadRefusedTheFile) {
  const StatusReport report = well();
  DaemonState daemon = daemon_with(jobs(""));
  EXPECT_FALSE(has(page_of(&report, daemon), "Needs a person"));
  daemon.refused = true;
  const std::string page = page_of(&report, daemon);
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

// A job that works says of its walk or push what the report says. What stops it is another trouble.
TEST(StatusPage, NamesAnIgnoredFilterAndWhatWasNeverListedOnce) {
  StatusReport report = well();
  auto all = jobs("the service ignores IsOptout");
  all[0].name = "pull.customers.LastActivityDate";
  all[0].status.fault = JobStatus::Fault::person;
  all[0].status.degraded = true;
  EXPECT_EQ(needs_of(&report, all).size(), 1u) << "the report does not say it";
  report.overview.walks.at(0).ignored = "IsOptout";
  EXPECT_EQ(needs_of(&report, all).size(), 1u);
  EXPECT_EQ(needs_of(&report, all)[0].kind, config::AlertKind::lists);
  all.push_back(all[0]);
  all[1].name = "listed.orders";
  report.waiting.at(0).never_listed = 1;
  EXPECT_EQ(needs_of(&report, all).size(), 2u);
  report.waiting.at(0).never_listed = 0;
  EXPECT_EQ(needs_of(&report, all).size(), 1u) << "the job has not counted since";
  all[0].status.degraded = all[1].status.degraded = false;
  all[0].status.fault = all[1].status.fault = JobStatus::Fault::configuration;
  EXPECT_EQ(needs_of(&report, all).size(), 2u) << "the filter, and what stops both jobs";
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

}  // namespace
