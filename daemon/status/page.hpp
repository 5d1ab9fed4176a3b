// The status page and the metrics as text. Pure. No address, name or answer is in them, because
// none is in what they are made of.
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

// One page of HTML, without scripts, that asks for itself again every ten seconds.
std::string page_of(const StatusReport& report, const std::vector<JobState>& jobs);

// Prometheus' text format, version 0.0.4.
std::string metrics_of(const StatusReport& report, const std::vector<JobState>& jobs);

}  // namespace surveybridge::daemon
