// The environment of a process with many jobs: they share the sessions of each database.
#pragma once

#include "daemon/context/job_context.hpp"

namespace surveybridge::daemon {

// `environment` with at most this many sessions of the store, and of the CRM's database where it is
// another one (session_pool.hpp). Of SQLite each job has its own. `log` outlives it.
Environment pooled(Environment environment, int connections, Log& log);

}  // namespace surveybridge::daemon
