// What is done after each outcome of each operation: the only table of it. Pure. A part of
// docs/SERVICE.md is generated from it; how often is limited by the pace (rate_limiter.hpp).
#pragma once

#include "connectors/service/outcome.hpp"
#include "daemon/job/job.hpp"

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

}  // namespace surveybridge::daemon
