// The state of a daemon and of its jobs, as it knows them from its memory. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/job/job.hpp"
#include "daemon/pace/pace.hpp"

namespace surveybridge::daemon {

struct JobState {
  std::string name;
  JobStatus status;
  std::optional<Duration> trouble_for = {};  // how long it has had its trouble; empty: it has none
  std::optional<Duration> next_in = {};      // until its next step; empty: it is in a step
  bool stuck = false;                        // it has been in one step or statement for too long
  std::optional<Duration> step_for = {};     // how long its present step takes; empty: in none
  // What the step waits for in the database, a sentence; empty: nothing that takes long.
  std::string statement = {};
};

struct DaemonState {
  std::vector<JobState> jobs = {};
  // Which jobs have been in one step or statement for too long, a line each; empty: none.
  std::string stuck = {};
  std::string version = {}, host = {};
  Duration uptime{0};       // since the start of the process
  std::string file = {};    // its configuration, from the root
  bool refused = false;     // what was read for the last reload: the one before is in force
  std::string zone = {};    // of the CRM; empty: UTC
  std::string report = {};  // the path of the report on the page; empty: there is none
};

// One line of JSON, which `status` asks for over the control socket
// (daemon/runtime/control_socket.hpp).
std::string write_job_states(const std::vector<JobState>& states);
// The other way round; control characters in texts are escaped. Empty: the line is not one, for
// example because a daemon of another version wrote it.
std::optional<std::vector<JobState>> read_job_states(const std::string& line);

// A job whose request was refused tries again when it is its turn. As long as the service has not
// asked everybody to wait, the job waits for its turn, and says so beside its last failure.
void tell_present_cause(std::vector<JobState>& states, const Pace::PaceSnapshot& pace);

// "19.5 a second", or "5.0 a second writing, 20.0 reading" where reading has a rate of its own.
// `unit`: "a second".
std::string rate_text(double rate, const std::optional<double>& reading, std::string_view unit);

}  // namespace surveybridge::daemon
