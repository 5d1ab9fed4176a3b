// How a job bears trouble: says it once, makes everybody wait as long as the service asked, comes
// again after a backoff, and says when it is over. Belongs to a job and speaks through its
// standing.
#pragma once

#include <string>

#include "daemon/job/log.hpp"
#include "daemon/job/random.hpp"
#include "daemon/pace/pace.hpp"
#include "daemon/pace/retry.hpp"

namespace surveybridge::daemon {

class RetryState {
 public:
  RetryState(Log& log, const std::string& job, Pace& pace, JobStatus& status, std::uint64_t seed)
      : log_throttle_(log, job), pace_(pace), status_(status), random_(seed) {}

  // A request went well. `still`: what a person should see to nevertheless.
  void succeeded(const std::string& still = "");
  // Why the job waits, told as loud as it is somebody's turn; nothing: all is well.
  void say(JobStatus::Fault fault, const std::string& trouble);
  // When to come again: never before `floor`, which then holds for everybody.
  TimePoint wait(TimePoint now, Duration floor = Duration{0});
  // Says the trouble of an operation and what retry.hpp has for it. kNever: it stands still.
  TimePoint failed(const Retry& retry, const service::Trouble& trouble, TimePoint now,
                   const std::string& what = "");
  // Says it once more, and that nothing goes on before a restart.
  TimePoint stand_still(JobStatus::Fault fault, const std::string& trouble);
  bool stands_still() const { return stands_still_; }

 private:
  LogThrottle log_throttle_;
  Pace& pace_;
  JobStatus& status_;
  Random random_;
  int failures_ = 0;  // in a row
  bool stands_still_ = false;
};

}  // namespace surveybridge::daemon
