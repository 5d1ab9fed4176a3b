// What a job waits for now, where it still says why its last request failed. Pure.
#pragma once

#include <vector>

#include "daemon/pace/pace.hpp"
#include "daemon/status/job_state.hpp"

namespace surveybridge::daemon {

// A job whose request was refused tries again when it is its turn. As long as the service has not
// asked everybody to wait, the job waits for its turn, and for nothing else.
void tell_present_cause(std::vector<JobState>& states, const Pace::PaceSnapshot& pace);

}  // namespace surveybridge::daemon
