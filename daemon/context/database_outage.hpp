// A database that does not answer, told once for all jobs of a process that wait for it, and once
// more when all of them work again. Thread-safe.
#pragma once

#include <mutex>
#include <set>
#include <string>

#include "daemon/job/log_throttle.hpp"

namespace surveybridge::daemon {

class DatabaseOutage {
 public:
  DatabaseOutage(Log& log, LogThrottle::Clock uptime);

  // A step of the job has ended because the database is not reachable; `what` it says.
  void met(const std::string& job, const std::string& what);
  // A step of the job has ended without that.
  void passed(const std::string& job);

 private:
  std::mutex mutex_;
  LogThrottle log_throttle_;
  std::set<std::string> waiting_;  // jobs
};

}  // namespace surveybridge::daemon
