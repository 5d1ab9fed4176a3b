// Writes stored records of a list into the CRM once more: all of them where a write of the
// configuration is new or has changed, and those that met no row, because the row may have come
// since. A step is one transaction.
#pragma once

#include <optional>
#include <string>

#include "connectors/crm/pulled/pull_store.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

class WriteBackJob final : public Job {
 public:
  WriteBackJob(const config::Pull& pull, const Shared& shared);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }
  void leave() override;

 private:
  bool take_lease();
  TimePoint rest(TimePoint now);

  const config::Pull& pull_;
  std::string name_;
  JobContext context_;
  JobStatus status_;
  std::optional<crm::PullStore> tables_;
  std::optional<crm::Lease> lease_;
  std::optional<TimePoint> begun_;  // `sync`: what was tried before this is tried once
};

}  // namespace surveybridge::daemon
