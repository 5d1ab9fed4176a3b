// Counts a push's transactions that were sent and never listed, at intervals. A step is one query,
// whose number is kept where the ledger is large.
#pragma once

#include <string>

#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"
#include "daemon/pace/retry.hpp"

namespace surveybridge::daemon {

class NeverListedJob final : public Job {
 public:
  NeverListedJob(const config::Push& push, const Shared& shared, std::uint64_t seed);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }

 private:
  const config::Push& push_;
  std::string name_;
  JobContext context_;
  JobStatus status_;
  RetryState retry_;
};

}  // namespace surveybridge::daemon
