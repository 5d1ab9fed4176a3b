// A job whose trouble changes, by a clock of the test.
#include <gtest/gtest.h>

#include "daemon/runtime/scheduler.hpp"

namespace surveybridge::daemon {
namespace {

using namespace std::chrono_literals;

TEST(TroubleSince, BeginsAnewWhereAJobThatWorkedIsStopped) {
  TroubleSince trouble;
  const TroubleSince::Time begun{1h};
  JobStatus status;
  trouble.saw(status, begun);
  EXPECT_FALSE(trouble.since());
  status.trouble = "2 rows have no key";
  status.degraded = true;
  trouble.saw(status, begun + 1s);
  trouble.saw(status, begun + 2s);
  EXPECT_EQ(trouble.since(), begun + 1s);
  status.trouble = "no whole answer in time";
  status.degraded = false;
  trouble.saw(status, begun + 60s);
  status.trouble = "cannot reach it";
  trouble.saw(status, begun + 90s);
  EXPECT_EQ(trouble.since(), begun + 60s);
  status.trouble.clear();
  trouble.saw(status, begun + 95s);
  EXPECT_FALSE(trouble.since());
}

TEST(TroubleSince, BeginsAnewWhereTheDatabaseGoesAndTheServiceIsBack) {
  TroubleSince trouble;
  const TroubleSince::Time begun{1h};
  JobStatus status;
  status.trouble = "unavailable: cannot reach it";
  trouble.saw(status, begun);
  status.trouble = "database: Connection refused";
  trouble.saw(status, begun + 60s);
  status.trouble = "database: Access denied";
  trouble.saw(status, begun + 90s);
  EXPECT_EQ(trouble.since(), begun + 60s);
}

}  // namespace
}  // namespace surveybridge::daemon
