// The status page and the metrics as text. Pure. They contain no address, name or answer, because
// their input has none.
#pragma once

#include <string>
#include <vector>

#include "daemon/job/job.hpp"
#include "daemon/status/report.hpp"

namespace surveybridge::daemon {

struct JobState {
  std::string name;
  JobStatus status;
};

// One HTML page without scripts that reloads itself every ten seconds.
std::string page_of(const StatusReport& report, const std::vector<JobState>& jobs);

// Prometheus' text format, version 0.0.4. `report` null: the database does not answer, and the
// metrics have only what is in memory.
std::string metrics_of(const StatusReport* report, const std::vector<JobState>& jobs);

}  // namespace surveybridge::daemon
