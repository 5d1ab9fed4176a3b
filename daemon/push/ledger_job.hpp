// Looks after the ledger as it grows: keeps the numbers of its rows, so that a status need not
// count them, and removes old steps of transactions ([ledger] keep_events). A step is one count, or
// a few thousand steps looked at.
#pragma once

#include <string>

#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

class LedgerJob final : public Job {
 public:
  explicit LedgerJob(const Shared& shared) : context_(shared) {}

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }

 private:
  Duration count();
  bool prune();

  const std::string name_ = "ledger";
  JobContext context_;
  JobStatus status_;
  TimePoint count_at_{}, prune_at_{};
  std::int64_t reached_ = 0;  // the last step that the walk has looked at
  std::int64_t removed_ = 0;  // in this walk
};

}  // namespace surveybridge::daemon
