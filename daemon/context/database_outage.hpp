// A database that does not answer, told once for all jobs of a process that wait for it, and once
// more when all of them work again. Thread-safe.
#pragma once

#include <mutex>
#include <set>
#include <string>

#include "connectors/crm/driver/database.hpp"
#include "daemon/job/log_throttle.hpp"

namespace surveybridge::daemon {

class DatabaseOutage {
 public:
  DatabaseOutage(Log& log, LogThrottle::Clock uptime);

  // A step of the job has ended because the database is not reachable.
  void met(const std::string& job, const crm::DatabaseError& error);
  // A step of the job has ended without that, and the database has answered it.
  void passed(const std::string& job);
  // A step of the job has ended without a question: others will see when the database is back.
  void asked_nothing(const std::string& job);

 private:
  void end_if_over();

  std::mutex mutex_;
  LogThrottle log_throttle_;
  std::set<std::string> waiting_, silent_;  // jobs that met it; that have asked nothing since
  bool answered_ = false;                   // one of them since the last met it
};

}  // namespace surveybridge::daemon
