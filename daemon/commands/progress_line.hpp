// How far a job has come, as one line. Pure: the time comes in.
#pragma once

#include <optional>
#include <string>

#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

// A job that is being watched: where it stood when the watch began, where it stands.
struct Course {
  std::string job;
  JobStatus begun, now;
  Duration elapsed{0};
  Duration moved{0};  // the elapsed time at which the share was last another
};

// At the pace so far. Empty: nobody knows how much there is, nothing has moved, it is too early to
// say, or nothing has moved for longer than that: what is left is of another kind.
std::optional<std::chrono::seconds> time_left(const Course& course);

// "push.orders  [####------]  12 s left  1200 rows  340/s  why it waits", with a bar where it is
// known how much there is. At most `columns` characters.
std::string progress_line(const Course& course, bool bar, std::size_t columns);

}  // namespace surveybridge::daemon
