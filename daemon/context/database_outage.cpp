#include "daemon/context/database_outage.hpp"

#include <utility>

#include "connectors/crm/driver/error_text.hpp"
#include "daemon/job/log_events.hpp"

namespace surveybridge::daemon {

DatabaseOutage::DatabaseOutage(Log& log, LogThrottle::Clock uptime)
    : log_throttle_(log, "database", std::move(uptime)) {}

void DatabaseOutage::met(const std::string& job, const crm::DatabaseError& error) {
  const std::lock_guard lock(mutex_);
  waiting_.insert(job);
  silent_.erase(job);
  answered_ = false;
  const auto level = crm::is_login_refused(error) ? Log::Level::error : Log::Level::warn;
  log_throttle_.report(level, std::string(error.what()) + "; every job that needs it waits",
                       {.event = &kTrouble});
}

void DatabaseOutage::passed(const std::string& job) {
  const std::lock_guard lock(mutex_);
  if (waiting_.erase(job) + silent_.erase(job) == 0) return;
  answered_ = true;
  end_if_over();
}

void DatabaseOutage::asked_nothing(const std::string& job) {
  const std::lock_guard lock(mutex_);
  if (waiting_.erase(job) == 0) return;
  silent_.insert(job);
  end_if_over();
}

// Within the lock.
void DatabaseOutage::end_if_over() {
  if (!waiting_.empty() || !answered_) return;
  log_throttle_.over();
  silent_.clear();
}

}  // namespace surveybridge::daemon
