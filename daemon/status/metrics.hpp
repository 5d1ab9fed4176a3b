// The metrics as text. Pure. Labels are names of pushes, lists, walks, jobs and instances: never a
// key, an address or an answer, because the input has none.
#pragma once

#include <string>
#include <vector>

#include "daemon/status/job_state.hpp"
#include "daemon/status/report.hpp"

namespace surveybridge::daemon {

// Prometheus' text format, version 0.0.4. `report` null: the database does not answer, and the
// metrics have only what is in memory.
std::string metrics_of(const StatusReport* report, const std::vector<JobState>& jobs);

}  // namespace surveybridge::daemon
