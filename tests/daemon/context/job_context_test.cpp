#include "daemon/context/job_context.hpp"

#include <gtest/gtest.h>

namespace surveybridge::daemon {
namespace {

using namespace std::chrono_literals;

std::chrono::seconds lease_for(config::Milliseconds timeout) {
  config::Settings settings;
  settings.service.timeout = timeout;
  return lease_duration(settings);
}

TEST(LeaseDuration, OutlivesAPostThatStartedAsLateAsItMay) {
  for (const config::Milliseconds timeout : {1000ms, 1500ms, 10'000ms, 60'000ms, 600'000ms}) {
    const config::Milliseconds lease = lease_for(timeout);
    EXPECT_GE(lease - lease / 4, timeout + 5s) << timeout.count() << " ms";
  }
}

TEST(LeaseDuration, IsShortWhereAnswersAreSoonGivenUp) {
  EXPECT_EQ(lease_for(1s), 12s);
  EXPECT_EQ(lease_for(60s), 180s);
}

// Otherwise the watchdog would end a daemon that waits for one.
TEST(LeaseDuration, OutlivesAStatementThatMayTakeLong) {
  config::Settings settings;
  settings.crm.statement_timeout = 30min;
  EXPECT_GE(lease_duration(settings), 30min + 120s);
  settings.crm.statement_timeout = 5s;
  EXPECT_EQ(lease_duration(settings), 180s) << "no shorter than usual";
}

}  // namespace
}  // namespace surveybridge::daemon
