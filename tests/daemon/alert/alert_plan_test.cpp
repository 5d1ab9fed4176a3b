#include "daemon/alert/alert_plan.hpp"

#include <gtest/gtest.h>

#include "daemon/job/fault.hpp"
#include "mapping/values/dates.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using namespace std::chrono_literals;
using config::AlertKind;

constexpr TimePoint kThen{std::chrono::sys_days{std::chrono::year{2026} / 11 / 20}};
const AlertOrigin kHere{"crm-host", "/etc/surveybridge/surveybridge.toml"};

config::Receiver ops(std::vector<AlertKind> kinds = {}) {
  config::Receiver receiver;
  receiver.name = "ops";
  if (!kinds.empty()) receiver.kinds = std::move(kinds);
  return receiver;
}

Need of_jobs(const std::string& jobs) {
  return {jobs + ": HTTP 401", "surveybridge check", "", AlertKind::jobs, jobs};
}

std::vector<crm::Alert> seen(const std::vector<Need>& needs, TimePoint now,
                             const std::vector<crm::Alert>& before = {},
                             const std::vector<AlertKind>& kinds = {}) {
  return seen_alerts(needs, ops(kinds), before, kHere.file, now);
}

DueAlerts due(const std::vector<crm::Alert>& rows, TimePoint now) {
  return due_alerts(rows, kHere, kThen - 24h, now);
}

TEST(AlertPlan, TellsOnceWhatLastsWhateverItsNumbersBecome) {
  const auto set_aside = [](int rows) {
    return Need{std::to_string(rows) + " set aside", "surveybridge quarantine list", "",
                AlertKind::rows, "quarantined orders"};
  };
  auto rows = seen({set_aside(1)}, kThen);
  EXPECT_TRUE(due(rows, kThen + kAlertLasts - 1s).none()) << "it may end by itself";
  rows = seen({set_aside(40)}, kThen + kAlertLasts, rows);
  ASSERT_EQ(due(rows, kThen + kAlertLasts).begun.size(), 1u);
  EXPECT_EQ(due(rows, kThen + kAlertLasts).begun[0].what, "40 set aside");
  rows[0].told_at = kThen + kAlertLasts;
  rows = seen({set_aside(41)}, kThen + 1h, rows);
  EXPECT_TRUE(due(rows, kThen + 1h).none());
  EXPECT_TRUE(due(rows, kThen + 1h + kAlertOver - 1s).none());
  EXPECT_EQ(due(rows, kThen + 1h + kAlertOver).over.size(), 1u);
  EXPECT_TRUE(due_alerts(rows, kHere, kThen + 1h + 1s, kThen + 1h + kAlertOver).none())
      << "a process that has just begun has not looked long enough";
}

// One look met it, and the next ones do not.
TEST(AlertPlan, TellsNothingThatWasSeenOnce) {
  auto rows = seen({of_jobs("push.orders")}, kThen);
  EXPECT_TRUE(due(rows, kThen + kAlertLasts).none());
  EXPECT_TRUE(due(rows, kThen + kAlertOver - 1s).none());
  rows = seen({of_jobs("push.orders")}, kThen + 10min, rows);
  EXPECT_EQ(due(rows, kThen + 10min).begun.size(), 1u) << "looks that take long are as far apart";
}

TEST(AlertPlan, TellsOnceThatTooLittleComes) {
  const auto needs = [](std::int64_t came) {
    StatusReport report;
    report.waiting.resize(1);
    report.waiting[0].push = "orders";
    report.waiting[0].too_few = TooFew{1, came, 61};
    report.silent = {{"customers", "LastActivityDate", {came == 0 ? 4 : 2, 0, 40}}};
    return needs_of(report);
  };
  auto rows = seen(needs(3), kThen);
  ASSERT_EQ(rows.size(), 2u);
  for (auto& row : rows)
    row.told_at = kThen;
  for (const auto& row : seen(needs(0), kThen + 1h, rows))
    EXPECT_TRUE(row.told_at) << row.what;
  EXPECT_EQ(seen(needs(3), kThen, {}, {AlertKind::lists}).size(), 1u) << "the list";
}

// Looks a minute apart, and tells what is due. What was told.
class Looks {
 public:
  std::vector<std::string> at(TimePoint from, Duration length, const Need& need) {
    std::vector<std::string> told;
    for (TimePoint now = from; now < from + length; now += 1min) {
      for (auto& row : seen({need}, now, rows_)) {
        std::erase_if(rows_, [&](const auto& each) { return each.subject == row.subject; });
        rows_.push_back(std::move(row));
      }
      for (auto& row : rows_) {
        for (const auto& begun : due(rows_, now).begun) {
          if (begun.subject != row.subject) continue;
          told.push_back(begun.what);
          row.tell(now);
        }
      }
    }
    return told;
  }

 private:
  std::vector<crm::Alert> rows_;
};

using Told = std::vector<std::string>;

TEST(AlertPlan, TellsAnotherCauseOfWhatLasts) {
  Looks looks;
  const auto holds = [](const std::string& why) {
    StatusReport report;
    report.waiting.resize(1);
    report.waiting[0].push = "orders";
    report.waiting[0].brake = why;
    return needs_of(report).at(0);
  };
  EXPECT_EQ(looks.at(kThen, 10min, holds("a spike: up to 300")),
            (Told{"orders: the brake holds: a spike: up to 300"}));
  EXPECT_EQ(looks.at(kThen + 10min, 10min, holds("a spike: up to 4000")), Told{});
  EXPECT_EQ(looks.at(kThen + 20min, 2min, holds("the list is empty")), Told{}) << "too short";
  EXPECT_EQ(looks.at(kThen + 22min, 10min, holds("a spike: up to 300")), Told{}) << "told before";
  EXPECT_EQ(looks.at(kThen + 32min, 10min, holds("the list is empty")),
            (Told{"orders: the brake holds: the list is empty"}));
  EXPECT_EQ(looks.at(kThen + 42min, 10min, holds("a spike: up to 7")), Told{});
}

TEST(AlertPlan, TellsOfTenTimesAsManyRows) {
  Looks looks;
  const auto set_aside = [](std::int64_t rows) {
    StatusReport report;
    report.overview.counts = {{"orders", crm::State::quarantined, rows}};
    return needs_of(report).at(0);
  };
  EXPECT_EQ(looks.at(kThen, 10min, set_aside(1)).size(), 1u);
  EXPECT_EQ(looks.at(kThen + 10min, 10min, set_aside(9)), Told{});
  EXPECT_EQ(looks.at(kThen + 20min, 10min, set_aside(41)).size(), 1u);
  EXPECT_EQ(looks.at(kThen + 30min, 10min, set_aside(3)), Told{}) << "fewer";
  EXPECT_EQ(looks.at(kThen + 40min, 10min, set_aside(99)), Told{});
}

// A job that goes on in spite of a trouble, and then stands; one whose service is away in changing
// words.
TEST(AlertPlan, TellsThatAJobStandsThoughItWasToldOfBefore) {
  Looks looks;
  const auto job = [](const std::string& trouble, JobStatus::Fault fault, bool works) {
    JobState state;
    state.name = "push.orders";
    state.status.trouble = trouble;
    state.status.fault = fault;
    state.status.degraded = works;
    state.trouble_for = 24h;
    return needs_of(nullptr, {state}).at(0);
  };
  using Fault = JobStatus::Fault;
  EXPECT_EQ(looks.at(kThen, 10min, job("1 row has no key", Fault::configuration, true)).size(), 1u);
  EXPECT_EQ(looks.at(kThen + 10min, 10min, job("HTTP 401", Fault::configuration, false)).size(),
            1u);
  EXPECT_EQ(looks.at(kThen + 20min, 10min, job("no such column", Fault::configuration, false)),
            (Told{"push.orders: no such column"}));
  EXPECT_EQ(looks.at(kThen + 30min, 10min, job("timeout", Fault::unreachable, false)).size(), 1u);
  EXPECT_EQ(looks.at(kThen + 40min, 10min, job("refused", Fault::unreachable, false)), Told{});
}

TEST(AlertPlan, ForgetsWhatEndedBeforeItWasTold) {
  const auto first = seen({of_jobs("push.orders")}, kThen);
  EXPECT_TRUE(due(first, kThen + kAlertOver).none());
  const auto again = seen({of_jobs("push.orders")}, kThen + kAlertOver, first);
  EXPECT_EQ(again.at(0).since, kThen + kAlertOver);
}

TEST(AlertPlan, TellsATroubleOfSeveralJobsOnceThoughTheyMeetItLater) {
  auto rows = seen({of_jobs("pull.names")}, kThen);
  rows[0].told_at = kThen + 2min;
  rows = seen({of_jobs("push.orders, pull.names")}, kThen + 1h, rows);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].what, "push.orders: HTTP 401");
  EXPECT_TRUE(due(rows, kThen + 2h).begun.empty());
}

TEST(AlertPlan, ChoosesKindsAndHidesAddresses) {
  const Need brake{"orders: the brake holds", "surveybridge release orders", "", AlertKind::brake,
                   "orders"};
  const Need words{"the service refuses jo@example.test", "", "", AlertKind::jobs, "x"};
  EXPECT_EQ(seen({brake, words}, kThen).size(), 2u);
  const auto rows = seen({brake, words}, kThen, {}, {AlertKind::jobs});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].what, "the service refuses (an address)");
}

TEST(AlertPlan, HidesTheKeyThatATroubleNames) {
  const Need need{"push.orders: the service forbids 2 rows (403), sent again at intervals" +
                      std::string(kLikeKey) + "A-4711\"",
                  "", "", AlertKind::jobs, "push.orders"};
  EXPECT_EQ(seen({need}, kThen).at(0).what,
            "push.orders: the service forbids 2 rows (403), sent again at intervals");
}

TEST(AlertPlan, LivesWithAClockThatGoesBack) {
  auto rows = seen({of_jobs("push.orders")}, kThen + 24h);
  rows = seen({of_jobs("push.orders")}, kThen, rows);
  rows = seen({of_jobs("push.orders")}, kThen + kAlertLasts, rows);
  EXPECT_EQ(due(rows, kThen + kAlertLasts).begun.size(), 1u) << "not only in a day";
  rows = seen({of_jobs("push.orders")}, kThen + 24h);
  rows[0].told_at = kThen + 24h;
  EXPECT_EQ(due(rows, kThen + kAlertOver).over.size(), 1u);
}

TEST(AlertPlan, KnowsTheKindOfARow) {
  const auto rows = seen({of_jobs("push.orders")}, kThen);
  EXPECT_TRUE(wants(ops(), rows.at(0).subject));
  EXPECT_TRUE(wants(ops({AlertKind::jobs}), rows.at(0).subject));
  EXPECT_FALSE(wants(ops({AlertKind::brake}), rows.at(0).subject));
  EXPECT_TRUE(wants(ops({AlertKind::brake}), kSummarySubject));
}

TEST(AlertPlan, BelievesOnlyADaemonOfItsOwnThatItRunsAgain) {
  crm::Alert end{"ops", end_subject(kHere), "it has failed", "", kThen, kThen, kThen};
  EXPECT_EQ(due({end}, kThen + 1h).over.size(), 1u);
  const AlertOrigin other{"other-host", kHere.file};
  EXPECT_TRUE(due_alerts({end}, other, kThen - 24h, kThen + 1h).none());
}

TEST(AlertPlan, KnowsTheTimesOfAScheduleInAZone) {
  using Each = config::Schedule::Each;
  const auto check = [](const config::Schedule& every, TimePoint before, TimePoint at,
                        TimePoint after) {
    const std::string zone = "Europe/Amsterdam";
    EXPECT_EQ(last_time(every, zone, at - 1s), before);
    EXPECT_EQ(last_time(every, zone, at), at);
    EXPECT_EQ(next_time(every, zone, before), at);
    EXPECT_EQ(next_time(every, zone, at), after);
  };
  check({.at = 8h}, kThen - 17h, kThen + 7h, kThen + 31h);
  const TimePoint monday = kThen + 3 * 24h + 7h;
  check({Each::week, std::chrono::Monday, 8h}, monday - 7 * 24h, monday, monday + 7 * 24h);
  check({Each::month, {}, 8h}, kThen - 19 * 24h + 7h, kThen + 11 * 24h + 7h, kThen + 42 * 24h + 7h);
}

TEST(AlertPlan, AsksForWholeTimesBeforeAReportIsDue) {
  config::Report::Mail mail;
  auto asked = report_due_at(kThen + 7h, mail, "Europe/Amsterdam");
  EXPECT_EQ(asked.to, "2026-11-19");
  EXPECT_EQ(asked.from, "");
  EXPECT_FALSE(asked.texts);
  mail.every.each = config::Schedule::Each::month;
  mail.words = true;
  asked = report_due_at(kThen + 11 * 24h - 1h, mail, "Europe/Amsterdam");
  EXPECT_EQ(asked.from, "2025-12-01") << "it is December there";
  EXPECT_EQ(asked.to, "2026-11-30");
  EXPECT_EQ(asked.period, "month");
  EXPECT_TRUE(asked.texts);
}

// Summer time ends on 25 October 2026 at 01:00 UTC, and begins on 28 March 2027 at the same time.
TEST(AlertPlan, ComesOnceThoughTheClockSkipsATimeOrShowsItTwice) {
  using Each = config::Schedule::Each;
  const std::string zone = "Europe/Amsterdam";
  constexpr std::chrono::year kYear{2026};
  const TimePoint back = std::chrono::sys_days{kYear / 10 / 25} + 0h,
                  on = std::chrono::sys_days{(kYear + std::chrono::years{1}) / 3 / 28} + 0h;
  const config::Schedule night{Each::week, std::chrono::Sunday, 2h + 30min}, morning{.at = 8h};
  EXPECT_EQ(next_time(night, zone, back), back + 30min) << "the first of two";
  EXPECT_EQ(next_time(night, zone, back + 30min), back + 7 * 24h + 90min) << "not the second";
  EXPECT_EQ(last_time(night, zone, back + 90min), back + 30min);
  EXPECT_EQ(next_time(night, zone, on), on + 90min) << "an hour later by the clock";
  EXPECT_EQ(next_time(night, zone, on + 90min), on + 7 * 24h + 30min);
  EXPECT_EQ(next_time(morning, zone, back - 24h + 6h), back + 7h) << "after 25 hours";
  EXPECT_EQ(next_time(morning, zone, on - 24h + 7h), on + 6h) << "after 23 hours";
}

TEST(AlertPlan, LeavesAReceiverOfFollowUpsInPeace) {
  config::Receiver team = ops();
  team.kinds.emplace();
  for (const auto kind : {AlertKind::brake, AlertKind::jobs, AlertKind::daemon})
    EXPECT_FALSE(wants(team, kind));
}

}  // namespace
