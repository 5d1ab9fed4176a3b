// How far a command has come, on standard error: a line that rewrites itself on a terminal, plain
// lines now and then elsewhere.
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
  // How much a job has to do, as far as somebody could count it before; about the job itself.
  void expect(const std::string& job, std::int64_t total) { totals_[job] = total; }
  void show(const std::string& job, const JobStatus& status);
  // Empties the line, so that something else can be said.
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
  std::map<std::string, std::int64_t> totals_;
  Course course_;
  std::chrono::steady_clock::time_point begun_, last_;
};

// Is standard error (output) a terminal?
bool error_is_terminal();
bool output_is_terminal();

}  // namespace surveybridge::daemon
