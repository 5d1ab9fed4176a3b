// Since when a job has been in its present trouble: what only limits a job that works is another
// trouble than what stops it, and the database another one than the service. Pure: the clock is an
// argument.
#pragma once

#include <chrono>
#include <optional>

#include "daemon/job/fault.hpp"

namespace surveybridge::daemon {

class TroubleSince {
 public:
  using Time = std::chrono::steady_clock::time_point;
  // After each step.
  void saw(const JobStatus& status, Time now) {
    const bool database = is_of_database(status);
    if (status.trouble.empty()) {
      since_.reset();
    } else if (!since_ || degraded_ != status.degraded || database_ != database) {
      since_ = now;
    }
    degraded_ = status.degraded;
    database_ = database;
  }
  // Empty: no trouble.
  std::optional<Time> since() const { return since_; }

 private:
  std::optional<Time> since_;
  bool degraded_ = false, database_ = false;
};

}  // namespace surveybridge::daemon
