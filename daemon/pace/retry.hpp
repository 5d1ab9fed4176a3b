// What is done after each outcome of each operation: the only table of it, and the state of a job's
// failures. The table is pure. A part of docs/SERVICE.md is generated from it; how often is limited
// by the pace (pace.hpp).
#pragma once

#include <string>

#include "connectors/service/outcome.hpp"
#include "daemon/job/backoff.hpp"
#include "daemon/job/job.hpp"
#include "daemon/job/log_throttle.hpp"
#include "daemon/job/random.hpp"
#include "daemon/pace/pace.hpp"

namespace surveybridge::daemon {

enum class Operation {
  add,     // POST customer/add
  page,    // of a list
  search,  // of customers in doubt, or for verify
  column,  // the data columns, which mapping and searching need
  names,   // names of statuses and data columns for reports
};

struct Retry {
  enum class Then {
    wait,         // again after a backoff, never before the time that the service asked for
    start_again,  // at once from the first page: the cursor is no longer known
    go_without,   // the work goes on without it
  } then = Then::wait;
  JobStatus::Fault fault = JobStatus::Fault::unreachable;  // who must act
};

// For an add: one that was certainly not processed. `has_cursor`: the request had a
// cursor.
Retry retry_after(Operation operation, const service::Trouble& trouble, bool has_cursor = false);

// No answer of the service itself: not connected, a time-out, or a gateway before it (408, 502,
// 503, 504), and nobody said how long to wait.
bool is_unreachable(const service::Trouble& trouble);

// Handles the failures of a job: reports each trouble once, passes the service's wait on to all
// jobs, tries again after a backoff, and reports the end. Belongs to a job and writes its status.
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
