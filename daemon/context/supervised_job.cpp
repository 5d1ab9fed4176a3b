#include "daemon/context/supervised_job.hpp"

#include <string_view>
#include <utility>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/driver/error_text.hpp"
#include "connectors/crm/leases/lease.hpp"
#include "daemon/job/backoff.hpp"
#include "daemon/job/fault.hpp"
#include "daemon/job/log_events.hpp"

namespace surveybridge::daemon {

namespace {

// The database rolled back a transaction because of another one (SQLSTATE class 40).
bool is_conflict(const crm::DatabaseError& error) {
  return error.kind == crm::DatabaseError::Kind::busy && error.code.sqlstate.starts_with("40");
}

constexpr Duration kConflictFirst = std::chrono::milliseconds{20};

JobStatus::Fault fault_of(crm::DatabaseError::Kind kind) {
  switch (kind) {
    case crm::DatabaseError::Kind::connection:
    case crm::DatabaseError::Kind::busy:
      return JobStatus::Fault::unreachable;
    case crm::DatabaseError::Kind::constraint:
    case crm::DatabaseError::Kind::too_large:
    case crm::DatabaseError::Kind::other:
      break;
  }
  return JobStatus::Fault::configuration;
}

}  // namespace

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

SupervisedJob::SupervisedJob(std::unique_ptr<Job> job, Log& log, LogThrottle::Clock uptime,
                             std::uint64_t seed, DatabaseSigns database)
    : job_(std::move(job)),
      random_(seed),
      log_throttle_(log, job_->name(), std::move(uptime)),
      database_(std::move(database)) {}

TimePoint SupervisedJob::step(TimePoint now) {
  try {
    const TimePoint at = job_->step(now);
    exceptional_.trouble.clear();
    const JobStatus& status = job_->status();
    failures_ = status.trouble.empty() || status.degraded ? 0 : failures_ + 1;
    if (database_is_silent()) {
      if (database_.outage != nullptr) database_.outage->asked_nothing(name());
      return at;
    }
    answers_at_failure_.reset();
    if (database_.outage != nullptr) database_.outage->passed(name());
    log_throttle_.over();
    return at;
  } catch (const crm::LeaseLost& lost) {
    return failed(JobStatus::Fault::unreachable, lost.what(), now);
  } catch (const crm::DatabaseError& error) {
    const std::string what = std::string(kOfDatabase) + error.what();
    if (database_.answered) answers_at_failure_ = database_.answered(name());
    if (is_conflict(error)) return failed_by_conflict(what, now);
    if (database_.outage != nullptr && error.kind == crm::DatabaseError::Kind::connection) {
      database_.outage->met(name(), error);
      const auto fault = crm::is_login_refused(error) ? JobStatus::Fault::configuration
                                                      : JobStatus::Fault::unreachable;
      return wait(fault, what, now);
    }
    return failed(fault_of(error.kind), what, now);
  } catch (const std::exception& error) {
    return failed(JobStatus::Fault::configuration, error.what(), now);
  }
}

// A job whose pace holds it asks the database nothing: that step is no sign that it is back.
bool SupervisedJob::database_is_silent() const {
  return answers_at_failure_ && database_.answered(name()) == *answers_at_failure_;
}

TimePoint SupervisedJob::failed(JobStatus::Fault fault, const std::string& what, TimePoint now) {
  log_throttle_.report(level_of(fault), what, {.event = &kTrouble});
  return wait(fault, what, now);
}

TimePoint SupervisedJob::wait(JobStatus::Fault fault, const std::string& what, TimePoint now) {
  exceptional_.fault = fault;
  exceptional_.trouble = what;
  // A database that was away is used again soon after it is back, as the service is.
  const bool away = fault == JobStatus::Fault::unreachable;
  return now +
         backoff(++failures_, random_.unit(), Duration{0}, away ? kUnreachableMax : kBackoffMax);
}

// The database rolled back a transaction because of another one: the step is repeated soon. A
// single conflict is usual in a database that serializes transactions, and is not logged.
TimePoint SupervisedJob::failed_by_conflict(const std::string& what, TimePoint now) {
  exceptional_.fault = JobStatus::Fault::unreachable;
  exceptional_.trouble = what;
  if (++failures_ > 1) log_throttle_.report(Log::Level::warn, what, {.event = &kTrouble});
  return now + backoff(failures_, random_.unit(), Duration{0}, kUnreachableMax, kConflictFirst);
}

void SupervisedJob::leave() {
  try {
    job_->leave();
  } catch (const std::exception& error) {
    // What could not be given back is free when its lease ends.
    failed(JobStatus::Fault::unreachable, error.what(), {});
  }
}

JobStatus SupervisedJob::status() const {
  JobStatus status = job_->status();
  if (!exceptional_.trouble.empty()) {
    status.trouble = exceptional_.trouble;
    status.fault = exceptional_.fault;
    status.caught_up = false;
    status.degraded = false;  // the step did not come to its end, whatever the job said before
  }
  return status;
}

}  // namespace surveybridge::daemon
