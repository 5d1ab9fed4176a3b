// Handles the failures of a job: reports each trouble once, passes the service's wait on to all
// jobs, tries again after a backoff, and reports the end. Belongs to a job and writes its
// status.
#pragma once

#include <string>

#include "daemon/job/backoff.hpp"
#include "daemon/job/log_throttle.hpp"
#include "daemon/job/random.hpp"
#include "daemon/pace/pace.hpp"
#include "daemon/pace/retry.hpp"

namespace surveybridge::daemon {

class RetryState {
 public:
  RetryState(Log& log, const std::string& job, Pace& pace, JobStatus& status, std::uint64_t seed)
      : log_throttle_(log, job, pace.uptime()), pace_(pace), status_(status), random_(seed) {}

  // A request succeeded. `still`: what a person should see to nevertheless.
  void succeeded(const std::string& still = "");
  // There is nothing to ask for. What has failed may fail again: that it works again is not said
  // before a request has succeeded.
  void rested(const std::string& still = "");
  // Reports why the job waits, at the log level of the fault; an empty text: no trouble. `batch`:
  // which one had it.
  void report(JobStatus::Fault fault, const std::string& trouble, const std::string& batch = "");
  // When to try again: never before `floor`, which then holds for all jobs; without one at most
  // `most` later.
  TimePoint wait(TimePoint now, Duration floor = Duration{0}, Duration most = kBackoffMax);
  // Reports the trouble of an operation. When to try again.
  TimePoint failed(const Retry& retry, const service::Trouble& trouble, TimePoint now,
                   const std::string& what = "");

 private:
  LogThrottle log_throttle_;
  Pace& pace_;
  JobStatus& status_;
  Random random_;
  int failures_ = 0;  // in a row
};

}  // namespace surveybridge::daemon
