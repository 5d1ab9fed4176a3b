// The state of a job as the daemon knows it from its memory.
#pragma once

#include <optional>
#include <string>

#include "daemon/job/job.hpp"

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

}  // namespace surveybridge::daemon
