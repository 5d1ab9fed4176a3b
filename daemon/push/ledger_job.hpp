// Maintains a ledger that grows: renews its kept counts
// (connectors/crm/daemon_state/count_store.hpp), counts what comes in each hour
// (connectors/crm/pulled/arrivals.hpp), looks why it is too little (few_look.hpp) and removes old
// events ([ledger] keep_events). A step is one count, or a few thousand events read.
#pragma once

#include <algorithm>
#include <string>

#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

inline constexpr Duration kCountLeast = std::chrono::minutes{10};

// The time between two counts of the whole ledger by one process: longer where counting would take
// more than one two-hundredth of the time.
inline Duration rest_after_count(Duration took) {
  constexpr int kShare = 200;
  return std::max(kCountLeast, took * kShare);
}

class LedgerJob final : public Job {
 public:
  explicit LedgerJob(const Shared& shared) : context_(shared) {}

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }

 private:
  Duration count();
  void look(const config::Push& push);
  bool prune();
  void end_walk();

  const std::string name_ = "ledger";
  JobContext context_;
  JobStatus status_;
  TimePoint count_at_{}, arrivals_at_{}, prune_at_{};
  std::int64_t reached_ = 0;  // the last event that the walk has read
  std::int64_t removed_ = 0;  // in this walk
};

}  // namespace surveybridge::daemon
