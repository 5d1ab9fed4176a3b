// What the running daemon says of its jobs, for `status`: what each waits for, since when and until
// when.
#pragma once

#include <optional>
#include <string>

#include "daemon/job/json_text.hpp"
#include "daemon/status/job_state.hpp"

namespace surveybridge::daemon {

// Empty: none runs on this machine with this configuration. Without jobs: it did not say.
std::optional<DaemonState> ask_for_jobs(const std::string& config_file);

void print_jobs(const std::optional<DaemonState>& daemon, const std::string& config_file,
                TimePoint now);
// Adds the members "daemon" and "jobs".
void put_jobs(Json& object, const std::optional<DaemonState>& daemon, TimePoint now);

}  // namespace surveybridge::daemon
