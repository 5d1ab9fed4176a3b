// Walks of a backfill that share a place, one after the other. A lane is one job: it has one
// thread, one connection at a time, and is at its end when its last walk is.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

class BackfillWorker final : public Job {
 public:
  BackfillWorker(std::string name, std::vector<std::unique_ptr<Job>> walks);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  // All its walks together; the share counts those that are at their end.
  const JobStatus& status() const override { return status_; }
  void leave() override;

 private:
  std::string name_;
  std::vector<std::unique_ptr<Job>> walks_;  // those at their end are gone
  std::size_t at_ = 0;
  std::int64_t done_ = 0;  // by those
  JobStatus status_;
};

}  // namespace surveybridge::daemon
