// Writes stored records of a list into the CRM once more: all of them where a write of the
// configuration is new or has changed, and those that met no row, because the row may have come
// since. Where the CRM is another database than the store, all writes of the list are done here,
// from the queue. A step is one transaction.
#pragma once

#include <optional>
#include <string>

#include "connectors/crm/pulled/write_back_store.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

// How soon a lease that another instance has is asked for again.
inline constexpr Duration kLeaseWait = std::chrono::seconds{5};

// Logs what was to be written into the CRM and is not there: each table, column and reason once.
void log_unwritten(Log& log, const std::string& job, const crm::WrittenBack& written);

// The name of this job, and of its lease.
std::string write_back_job(const std::string& list);

class WriteBackJob final : public Job {
 public:
  WriteBackJob(const config::Pull& pull, const Shared& shared);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }
  void leave() override;
  void make_due() override { rested_until_ = {}; }

 private:
  bool take_lease();
  TimePoint rest(TimePoint now);
  TimePoint next_look(TimePoint now);
  crm::WriteBackStore::Right right() const;

  const config::Pull& pull_;
  std::string name_;
  JobContext context_;
  JobStatus status_;
  std::optional<crm::WriteBackStore> writes_;
  std::optional<crm::Lease> lease_;
  Duration taken_{};                // when the lease was taken, by the uptime
  TimePoint rested_until_{};        // till then there is nothing but what is queued
  std::optional<TimePoint> begun_;  // `sync`: what was tried before this is tried once
};

}  // namespace surveybridge::daemon
