// The progress of a job as one line. Pure: the time is an argument.
#pragma once

#include <optional>
#include <string>

#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

// A job that is watched: its state at the beginning of the watch, and now.
struct Course {
  std::string job;
  JobStatus begun, now;
  Duration elapsed{0};
  Duration moved{0};  // the elapsed time at the last change of the share
};

// At the present speed. Empty: the amount of work is unknown, nothing has changed, it is too early,
// or nothing has changed for too long, so that the rest is of another kind.
std::optional<std::chrono::seconds> time_left(const Course& course);

// "push.orders  [####------]  12 s left  1200 rows  340/s  why it waits", with a bar if the amount
// of work is known. At most `columns` characters.
std::string progress_line(const Course& course, bool bar, std::size_t columns);

}  // namespace surveybridge::daemon
