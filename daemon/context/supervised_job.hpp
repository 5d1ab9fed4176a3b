// Supervises a job: an exception of a step becomes a later time, and is reported once. Belongs to
// the thread that steps.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
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
  // How many calls the database has answered to a job.
  using Answered = std::function<std::uint64_t(const std::string& job)>;
  // `answered` may be empty: every step that ends well counts as an answer, though it may have
  // asked nothing.
  DatabaseOutage(Log& log, LogThrottle::Clock uptime, Answered answered = {});

  // A step of the job has ended because of an error of the database.
  void failed(const std::string& job);
  // The same, because it is not reachable.
  void met(const std::string& job, const crm::DatabaseError& error);
  // A step of the job has ended without that. False: the database has answered nothing since its
  // last failure, so others will see when it is back.
  bool passed(const std::string& job);

 private:
  bool is_silent(const std::string& job) const;
  void end_if_over();

  std::mutex mutex_;
  LogThrottle log_throttle_;
  Answered answered_;
  std::set<std::string> waiting_, silent_;  // jobs that met it; that have asked nothing since
  bool has_answered_ = false;               // to one of them since the last met it
  std::map<std::string, std::uint64_t> answers_at_failure_;  // by job, if its last try failed
};

class SupervisedJob {
 public:
  // `uptime` only moves forward. `outage`: where jobs say together that the database is away; null:
  // this one says it alone.
  SupervisedJob(std::unique_ptr<Job> job, Log& log, LogThrottle::Clock uptime, std::uint64_t seed,
                DatabaseOutage* outage = nullptr);

  const std::string& name() const { return job_->name(); }
  TimePoint step(TimePoint now);
  void make_due() { job_->make_due(); }
  void leave();
  // The job's own status, or the exception's trouble while it lasts.
  JobStatus status() const;
  // Steps in a row that only failed.
  int failures() const { return failures_; }

 private:
  TimePoint failed_by_conflict(const std::string& what, TimePoint now);
  TimePoint failed(JobStatus::Fault fault, const std::string& what, TimePoint now);
  TimePoint wait(JobStatus::Fault fault, const std::string& what, TimePoint now);

  std::unique_ptr<Job> job_;
  Random random_;
  LogThrottle log_throttle_;
  DatabaseOutage* outage_;
  JobStatus exceptional_;  // empty trouble: none
  int failures_ = 0;
};

}  // namespace surveybridge::daemon
