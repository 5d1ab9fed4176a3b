// Which alerts the status shows, and what it says of a receiver that could not be told.
#include "daemon/status/alerts.hpp"

#include <gtest/gtest.h>

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using namespace std::chrono_literals;
using config::AlertKind;

constexpr TimePoint kLooked{std::chrono::sys_days{std::chrono::year{2026} / 11 / 20}};

std::vector<LastingAlert> shown_alerts(crm::Alert row, config::Receiver receiver = {}) {
  receiver.name = row.receiver = "ops";
  return lasting_alerts(receiver, {std::move(row)}, kLooked);
}

crm::Alert alert_row(const std::string& subject, TimePoint since, TimePoint seen_at,
                     std::optional<TimePoint> told_at = {}) {
  return {"", subject, "orders: the brake holds", "", since, seen_at, told_at};
}

TEST(LastingAlerts, HaveTheKindTheReceiverAndTheTimes) {
  const auto told = shown_alerts(alert_row("brake orders", kLooked - 2h, kLooked, kLooked - 1h));
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].receiver, "ops");
  EXPECT_EQ(word_of(told[0].kind), "brake");
  EXPECT_EQ(told[0].what, "orders: the brake holds");
  EXPECT_EQ(told[0].since, kLooked - 2h);
  EXPECT_EQ(told[0].told_at, kLooked - 1h);
  EXPECT_FALSE(told[0].is_late);
}

TEST(LastingAlerts, AreLateWhereTheReceiverWasNotToldForLongerThanALookTakes) {
  const auto late = shown_alerts(alert_row("rows orders", kLooked - kAlertLate, kLooked));
  ASSERT_EQ(late.size(), 1u);
  EXPECT_TRUE(late[0].is_late);
  EXPECT_EQ(untold_text(late[0]), "could not be told yet");
  const auto due = shown_alerts(alert_row("rows orders", kLooked - kAlertLate + 1s, kLooked));
  ASSERT_EQ(due.size(), 1u);
  EXPECT_EQ(untold_text(due[0]), "not told yet");
}

TEST(LastingAlerts, AreNotWhatEndedUntoldNorWhatNobodyIsAlertedOf) {
  const TimePoint over = kLooked - kAlertOver;
  EXPECT_EQ(shown_alerts(alert_row("rows orders", over, over)).size(), 0u) << "it ended untold";
  EXPECT_EQ(shown_alerts(alert_row("rows orders", over, over, over)).size(), 1u)
      << "that it is over is still to be told";
  for (const char* subject : {"summary", "report", "rowsofsomething orders", "brake", ""})
    EXPECT_EQ(shown_alerts(alert_row(subject, kLooked, kLooked, kLooked)).size(), 0u) << subject;
  config::Receiver receiver;
  receiver.kinds = {AlertKind::verify};
  EXPECT_EQ(shown_alerts(alert_row("rows orders", over, kLooked), receiver).size(), 0u)
      << "no longer wanted";
}

}  // namespace
