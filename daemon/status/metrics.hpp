// The metrics as text: what the registry has counted, the last report, and the jobs. Pure. Labels
// are names of pushes, lists, walks, jobs and instances: never a key, an address or an answer,
// because the input has none.
#pragma once

#include <string>
#include <vector>

#include <prometheus/metric_family.h>

#include "daemon/status/job_state.hpp"
#include "daemon/status/report.hpp"

namespace surveybridge::daemon {

using MetricFamilies = std::vector<prometheus::MetricFamily>;

struct LastReport {
  const StatusReport* report = nullptr;  // the last that could be made; null: there is none yet
  Duration age{0};                       // of it
  bool database_up = false;              // it is of now: the database answers
};

// Prometheus' text format, version 0.0.4. Ages of the report grow with its own age.
std::string metrics_of(const LastReport& last, const std::vector<JobState>& jobs,
                       MetricFamilies counted = {});

}  // namespace surveybridge::daemon
