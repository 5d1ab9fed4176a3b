// What the running daemon says of its jobs, for `status`: what each waits for, since when and until
// when.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daemon/commands/commands.hpp"
#include "daemon/job/json_text.hpp"
#include "daemon/status/job_state.hpp"

namespace surveybridge::daemon {

struct DaemonJobs {
  bool runs = false;           // on this machine, with this configuration
  std::string stuck;           // which job is in one step for too long, a sentence; empty: none
  std::vector<JobState> jobs;  // empty: it did not say
};

DaemonJobs ask_for_jobs(const std::string& config_file);

void print_jobs(const DaemonJobs& daemon, const std::string& config_file, TimePoint now);
// The members "daemon" and "jobs" of an object.
void put_jobs(JsonText& json, const DaemonJobs& daemon, TimePoint now);

}  // namespace surveybridge::daemon
