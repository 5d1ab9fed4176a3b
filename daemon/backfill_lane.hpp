// Walks of a backfill that share a place, one after the other. A lane is one job: it has one
// thread, one connection at a time, and is at its end when its last walk is.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "daemon/job.hpp"

namespace surveybridge::daemon {

class BackfillLane final : public Job {
 public:
  BackfillLane(std::string name, std::vector<std::unique_ptr<Job>> walks);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  // All its walks together; the share counts those that are at their end.
  const Standing& standing() const override { return standing_; }
  void leave() override;

 private:
  std::string name_;
  std::vector<std::unique_ptr<Job>> walks_;  // those at their end are gone
  std::size_t at_ = 0;
  std::int64_t done_ = 0;  // by those
  Standing standing_;
};

}  // namespace surveybridge::daemon
