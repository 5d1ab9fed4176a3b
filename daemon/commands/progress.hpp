// The progress of a command on standard error: a line that is rewritten on a terminal, a plain line
// from time to time elsewhere.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "daemon/commands/progress_line.hpp"

namespace surveybridge::daemon {

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
bool output_is_terminal();

}  // namespace surveybridge::daemon
