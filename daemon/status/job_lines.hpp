// The states of the running daemon's jobs as one line of text, which `status` asks for over the
// control socket (daemon/runtime/control_socket.hpp), and back. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daemon/status/job_state.hpp"

namespace surveybridge::daemon {

// Control characters in texts are escaped.
std::string write_job_states(const std::vector<JobState>& states);
// Empty: the line is not one, for example because a daemon of another version wrote it.
std::optional<std::vector<JobState>> read_job_states(const std::string& line);

}  // namespace surveybridge::daemon
