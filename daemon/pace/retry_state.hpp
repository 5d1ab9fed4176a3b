// Handles the failures of a job: reports each trouble once, passes the service's wait on to all
// jobs, tries again after a backoff, and reports the end. Belongs to a job and writes its
// status.
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

  // A request succeeded. `still`: what a person should see to nevertheless.
  void succeeded(const std::string& still = "");
  // Reports why the job waits, at the log level of the fault; an empty text: no trouble.
  void report(JobStatus::Fault fault, const std::string& trouble);
  // When to try again: never before `floor`, which then holds for all jobs.
  TimePoint wait(TimePoint now, Duration floor = Duration{0});
  // Reports the trouble of an operation and applies the row of retry.hpp. kNever: it stands still.
  TimePoint failed(const Retry& retry, const service::Trouble& trouble, TimePoint now,
                   const std::string& what = "");
  // Reports it once more, and that nothing happens before a restart.
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
