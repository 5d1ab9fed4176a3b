// The lines of `status` about the jobs of the running daemon.
#include "daemon/commands/daemon_jobs.hpp"

#include <gmock/gmock.h>

namespace surveybridge::daemon {
namespace {

using namespace std::chrono_literals;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class JobsInStatus : public testing::Test {
 protected:
  JobsInStatus() {
    job_.name = "push.orders";
    job_.status.trouble = "the brake holds";
    job_.trouble_for = 90s;
  }
  std::string printed() const {
    testing::internal::CaptureStdout();
    std::vector<JobState> jobs = jobs_;
    jobs.insert(jobs.begin(), job_);
    print_jobs(DaemonState{jobs}, "bridge.toml", TimePoint{});
    std::fflush(stdout);
    return testing::internal::GetCapturedStdout();
  }
  JobState job_;
  std::vector<JobState> jobs_;  // behind it
};

TEST_F(JobsInStatus, SayWhatAJobWaitsFor) {
  job_.next_in = 60s;
  EXPECT_THAT(printed(), ContainsRegex("push.orders +waits since .*: the brake holds"));
  job_.status.degraded = true;
  EXPECT_THAT(printed(), ContainsRegex("push.orders +works, but since .*: the brake holds"));
}

TEST_F(JobsInStatus, SayThatAJobInALongStepWaitedBefore) {
  job_.step_for = 6s;
  EXPECT_THAT(printed(), ContainsRegex("push.orders +in a step for 6 s"));
  EXPECT_THAT(printed(), ContainsRegex("waited before this step, since .*: the brake holds"));
  EXPECT_THAT(printed(), Not(HasSubstr("waits since")));
  job_.step_for = 10ms;
  EXPECT_THAT(printed(), ContainsRegex("push.orders +in a step now"));
  EXPECT_THAT(printed(), HasSubstr("waits since")) << "its trouble may not be over";
}

TEST_F(JobsInStatus, SayASentenceOfSeveralJobsOnce) {
  JobState other = job_;
  other.name = "pull.customers";
  jobs_.push_back(other);
  EXPECT_THAT(printed(), ContainsRegex("push.orders +waits since .*: the brake holds"));
  EXPECT_THAT(printed(), ContainsRegex("pull.customers +waits since .*: the same as push.orders"));
}

}  // namespace
}  // namespace surveybridge::daemon
