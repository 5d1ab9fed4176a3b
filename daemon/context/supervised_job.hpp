// Supervises a job: an exception of a step becomes a later time, and is reported once. No other
// code in the daemon catches exceptions. Belongs to the thread that steps.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "connectors/crm/driver/database.hpp"
#include "daemon/job/job.hpp"
#include "daemon/job/log_throttle.hpp"
#include "daemon/job/random.hpp"

namespace surveybridge::daemon {

// A database that does not answer, told once for all jobs of a process that wait for it, and once
// more when all of them work again. Thread-safe.
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

// What tells whether the database is there.
struct DatabaseSigns {
  // Where jobs say together that the database is away; null: this one says it alone.
  DatabaseOutage* outage = nullptr;
  // How many calls the database has answered to a job. Empty: every step that ends well counts as
  // an answer, though it may have asked nothing.
  std::function<std::uint64_t(const std::string& job)> answered = {};
};

class SupervisedJob {
 public:
  // `uptime` only moves forward.
  SupervisedJob(std::unique_ptr<Job> job, Log& log, LogThrottle::Clock uptime, std::uint64_t seed,
                DatabaseSigns database = {});

  const std::string& name() const { return job_->name(); }
  TimePoint step(TimePoint now);
  void make_due() { job_->make_due(); }
  void leave();
  // The job's own status, or the exception's trouble while it lasts.
  JobStatus status() const;
  // Steps in a row that only failed.
  int failures() const { return failures_; }

 private:
  bool database_is_silent() const;
  TimePoint failed_by_conflict(const std::string& what, TimePoint now);
  TimePoint failed(JobStatus::Fault fault, const std::string& what, TimePoint now);
  TimePoint wait(JobStatus::Fault fault, const std::string& what, TimePoint now);

  std::unique_ptr<Job> job_;
  Random random_;
  LogThrottle log_throttle_;
  DatabaseSigns database_;
  std::optional<std::uint64_t> answers_at_failure_;  // empty: the database has not failed since
  JobStatus exceptional_;                            // empty trouble: none
  int failures_ = 0;
};

}  // namespace surveybridge::daemon
