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
