// What the numbers of the status page count, and how long a wait is shown.
#include <gmock/gmock.h>

#include "daemon/status/page.hpp"

namespace surveybridge::daemon {
namespace {

using testing::HasSubstr;

TEST(StatusPage, SaysWhatDoneCounts) {
  JobStatus status;
  status.done = 7;
  const StatusReport report;
  const std::string page = page_of(&report, {.jobs = {{"push.orders", status}}});
  EXPECT_THAT(page, HasSubstr("<td data-name=\"done since start\">7 rows</td>"));
  EXPECT_THAT(page, HasSubstr("Done since start: what the job has sent, read, settled or written"));
}

TEST(StatusPage, CountsPeopleAndNotHowOftenTheyWereRead) {
  JobStatus status;
  status.done = 7241;
  status.changed = 1572;
  status.unit = "customers";
  const std::string page =
      page_of(nullptr, {.jobs = {{"pull.customers.LastActivityDate", status}}});
  EXPECT_THAT(page, HasSubstr("<span>1572 customers<br><small>of 7241 read</small></span>"));
}

TEST(StatusPage, ShowsACommandWithinASentenceAsOne) {
  JobStatus status;
  status.trouble = "the brake holds: see `surveybridge release <orders>`; a ` alone stays";
  status.fault = JobStatus::Fault::person;
  const std::string page = page_of(nullptr, {.jobs = {{"push.orders", status}}});
  EXPECT_THAT(page, HasSubstr("<li>push.orders: the brake holds: see <code>surveybridge release "
                              "&lt;orders&gt;</code>; a ` alone stays"));
}

TEST(StatusPage, NamesAnInstanceByAsMuchAsStatusDoes) {
  StatusReport report;
  report.overview.paces.emplace_back();
  auto& pace = report.overview.paces.back();
  pace.owner = "0ac268ccad16e7a2b45a4b4ee8670d91@3ae9555132a546ce.19716.3676422";
  pace.live_until = report.overview.now + std::chrono::seconds{60};
  EXPECT_THAT(page_of(&report, {}), HasSubstr("<td data-name=\"instance\">0ac268ccad16</td>"));
}

TEST(StatusPage, ForgetsWhoWaitedForATurnWhenTheWaitIsOver) {
  const TimePoint now{std::chrono::sys_days{std::chrono::year{2026} / 11 / 20}};
  crm::PaceRow pace;
  pace.waiting = "push.orders";
  pace.live_until = now + std::chrono::seconds{60};
  pace.held_until = now + std::chrono::minutes{10};
  pace.seen_at = now - std::chrono::seconds{20};
  EXPECT_EQ(waiting_text(pace, now), "push.orders") << "all wait until later";
  pace.held_until = now;
  EXPECT_EQ(waiting_text(pace, now), "");
  pace.held_until.reset();
  EXPECT_EQ(waiting_text(pace, now), "");
  pace.seen_at = now - std::chrono::seconds{5};
  EXPECT_EQ(waiting_text(pace, now), "push.orders") << "just written";
  pace.live_until = now;
  EXPECT_EQ(waiting_text(pace, now), "") << "it has ended";
}

}  // namespace
}  // namespace surveybridge::daemon
