// What the status page and the metrics show in their tests: a shop with something of everything.
#pragma once

#include <string>
#include <vector>

#include "daemon/status/job_state.hpp"
#include "daemon/status/report.hpp"

namespace sample_status {

surveybridge::daemon::StatusReport shop();
std::vector<surveybridge::daemon::JobState> jobs(const std::string& trouble);
bool has(const std::string& text, const std::string& part);

}  // namespace sample_status
