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

DatabaseOutage::DatabaseOutage(Log& log, LogThrottle::Clock uptime, Answered answered)
    : log_throttle_(log, "database", std::move(uptime)), answered_(std::move(answered)) {}

void DatabaseOutage::failed(const std::string& job) {
  const std::lock_guard lock(mutex_);
  if (answered_) answers_at_failure_[job] = answered_(job);
}

void DatabaseOutage::met(const std::string& job, const crm::DatabaseError& error) {
  const std::lock_guard lock(mutex_);
  waiting_.insert(job);
  silent_.erase(job);
  has_answered_ = false;
  const auto level = crm::is_login_refused(error) ? Log::Level::error : Log::Level::warn;
  log_throttle_.report(level, std::string(error.what()) + "; every job that needs it waits",
                       {.event = &kTrouble});
}

bool DatabaseOutage::passed(const std::string& job) {
  const std::lock_guard lock(mutex_);
  const bool silent = is_silent(job);
  const bool has_met = waiting_.erase(job) + silent_.erase(job) > 0;
  if (silent && has_met) silent_.insert(job);
  if (!silent) answers_at_failure_.erase(job);
  if (!silent && has_met) has_answered_ = true;
  if (has_met) end_if_over();
  return !silent;
}

// Within the lock. A job whose pace holds it asks the database nothing.
bool DatabaseOutage::is_silent(const std::string& job) const {
  const auto failed = answers_at_failure_.find(job);
  return failed != answers_at_failure_.end() && answered_(job) == failed->second;
}

// Within the lock.
void DatabaseOutage::end_if_over() {
  if (!waiting_.empty() || !has_answered_) return;
  log_throttle_.over();
  silent_.clear();
}

SupervisedJob::SupervisedJob(std::unique_ptr<Job> job, Log& log, LogThrottle::Clock uptime,
                             std::uint64_t seed, DatabaseOutage* outage)
    : job_(std::move(job)),
      random_(seed),
      log_throttle_(log, job_->name(), std::move(uptime)),
      outage_(outage) {}

TimePoint SupervisedJob::step(TimePoint now) {
  try {
    const TimePoint at = job_->step(now);
    const JobStatus& status = job_->status();
    // It does not mend itself, and nobody knows yet whether it is mended.
    const bool says_nothing_new = status.trouble.empty() || status.degraded;
    if (status.interrupted && says_nothing_new && !exceptional_.trouble.empty() &&
        exceptional_.fault == JobStatus::Fault::configuration)
      return at;
    exceptional_.trouble.clear();
    failures_ = status.trouble.empty() || status.degraded ? 0 : failures_ + 1;
    if (outage_ == nullptr || outage_->passed(name())) log_throttle_.over();
    return at;
  } catch (const crm::LeaseLost& lost) {
    return failed(JobStatus::Fault::unreachable, lost.what(), now);
  } catch (const crm::DatabaseError& error) {
    const std::string what = std::string(kOfDatabase) + error.what();
    if (outage_ != nullptr) outage_->failed(name());
    if (is_conflict(error)) return failed_by_conflict(what, now);
    if (outage_ != nullptr && error.kind == crm::DatabaseError::Kind::connection) {
      outage_->met(name(), error);
      const auto fault = crm::is_login_refused(error) ? JobStatus::Fault::configuration
                                                      : JobStatus::Fault::unreachable;
      return wait(fault, what, now);
    }
    return failed(fault_of(error.kind), what, now);
  } catch (const std::exception& error) {
    return failed(JobStatus::Fault::configuration, error.what(), now);
  }
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
