// A lane of a backfill: its walks run one after another. It is one job, with one thread and one
// connection, and finishes with its last walk.
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
  // All its walks together; the share counts the finished ones.
  const JobStatus& status() const override { return status_; }
  void leave() override;

 private:
  std::string name_;
  std::vector<std::unique_ptr<Job>> walks_;  // without the finished ones
  std::size_t at_ = 0;
  std::int64_t done_ = 0;  // by the finished ones
  JobStatus status_;
};

}  // namespace surveybridge::daemon
