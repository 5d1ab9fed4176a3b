// The line in which a daemon tells the states of its jobs, and whatever else may come instead.
#include <gtest/gtest.h>

#include "daemon/status/job_state.hpp"

namespace surveybridge::daemon {
namespace {

using namespace std::chrono_literals;

JobState waiting_job() {
  JobState state{"push.orders", {}, 3min, 20s};
  state.status.done = 7;
  state.status.changed = 3;
  state.status.trouble = "HTTP 503\x1e\x1f\nagain";
  state.status.fault = JobStatus::Fault::person;
  state.status.degraded = true;
  state.stuck = true;
  state.step_for = 45s;
  state.statement = "the database has not answered\n";
  return state;
}

TEST(JobLines, KeepWhatAJobWaitsForSinceWhenAndUntilWhen) {
  const std::string line = write_job_states({waiting_job(), {"pull.ratings", {}, {}, {}}});
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto read = read_job_states(line);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ((*read)[0].name, "push.orders");
  EXPECT_EQ((*read)[0].status.done, 7);
  EXPECT_EQ((*read)[0].status.changed, 3);
  EXPECT_EQ((*read)[0].status.unit, "rows");
  EXPECT_EQ((*read)[0].status.trouble, "HTTP 503\\x1e\\x1f\\x0aagain");
  EXPECT_EQ((*read)[0].status.fault, JobStatus::Fault::person);
  EXPECT_TRUE((*read)[0].status.degraded);
  EXPECT_TRUE((*read)[0].stuck);
  EXPECT_EQ((*read)[0].trouble_for, Duration{3min});
  EXPECT_EQ((*read)[0].next_in, Duration{20s});
  EXPECT_EQ((*read)[0].step_for, Duration{45s});
  EXPECT_EQ((*read)[0].statement, "the database has not answered\\x0a");
  EXPECT_EQ((*read)[1].status.trouble, "");
  EXPECT_FALSE((*read)[1].status.changed);
  EXPECT_FALSE((*read)[1].trouble_for);
  EXPECT_FALSE((*read)[1].next_in);
  EXPECT_TRUE(read_job_states(write_job_states({}))->empty());
}

TEST(JobLines, AreNothingElse) {
  const std::string line = write_job_states({waiting_job()});
  for (std::size_t i = 0; i < line.size(); ++i) {
    read_job_states(line.substr(0, i));  // cut off anywhere: read or not, nothing breaks
    std::string odd = line;
    odd[i] = '\x1f';
    read_job_states(odd);
  }
  for (const char* text : {"", "not understood", "ok", "1", "{}", "[1]", "[{}]", "jobs-2"})
    EXPECT_FALSE(read_job_states(text)) << text;
  std::string fault = line;
  const auto number = fault.find("\"fault\":4");
  ASSERT_NE(number, std::string::npos);
  fault.replace(number, 9, "\"fault\":9");
  EXPECT_FALSE(read_job_states(fault));
}

}  // namespace
}  // namespace surveybridge::daemon
