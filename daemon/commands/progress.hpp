// The progress of a command on standard error: a line that is rewritten on a terminal, a plain line
// from time to time elsewhere.
#pragma once

#include <chrono>
#include <map>
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

class Progress {
 public:
  explicit Progress(bool terminal) : terminal_(terminal) {}
  ~Progress() { clear(); }
  // The amount of work of a job, if it could be counted before.
  void expect(const std::string& job, std::int64_t total) { totals_[job] = total; }
  void show(const std::string& job, const JobStatus& status);
  // Clears the line, so that other text can be printed.
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
  std::map<std::string, std::int64_t> totals_;
  Course course_;
  std::chrono::steady_clock::time_point begun_, last_;
};

// Is standard error a terminal?
bool error_is_terminal();

}  // namespace surveybridge::daemon
