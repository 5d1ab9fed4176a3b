// What is done after which outcome of which operation: the one table of it. Pure. docs/PACE.md
// shows it, made from here; the limits on how often are the pace's (rule.hpp).
#pragma once

#include "connectors/service/outcome.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

enum class Operation {
  add,     // POST customer/add
  page,    // of a list that is pulled
  search,  // of customers whose fate is in doubt, or that are verified
  column,  // the data columns, without which nothing can be mapped or searched
  names,   // statuses and data columns for the reader's comfort
  format,  // the same in a format that the service is not known to speak
};

struct Retry {
  enum class Then {
    wait,         // again after a backoff, never before what the service asked for
    start_again,  // at once from the first page: the cursor is no longer known
    go_without,   // the work goes on without it
    stand_still,  // until the daemon is restarted
  } then = Then::wait;
  JobStatus::Fault fault = JobStatus::Fault::unreachable;  // whose turn it is
};

// For an add: one that was certainly not processed. `has_cursor`: the request went on within a
// walk.
Retry retry_after(Operation operation, const service::Trouble& trouble, bool has_cursor = false);

}  // namespace surveybridge::daemon
