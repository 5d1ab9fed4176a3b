// All jobs of the settings, with what they share. Owned by a command or a test; has no thread. Jobs
// are in the order in which `sync` runs them.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/context/supervised_job.hpp"
#include "daemon/lists/pull_filters.hpp"

namespace surveybridge::daemon {

class Bridge {
 public:
  struct JobSelection {
    bool once = false;               // `sync`
    std::vector<std::string> names;  // push, pull, or the name of a push or pull; empty: everything
    std::vector<WalkPlan> backfill = {};  // a backfill: only these walks of the pull in `names`,
    std::size_t lanes = 1;                // this many at a time
  };
  // `settings`, `log` and `credentials` outlive the bridge.
  Bridge(const config::Settings& settings, Environment environment, Log& log,
         service::Credentials& credentials, const JobSelection& choice);
  Bridge(const Bridge&) = delete;
  Bridge& operator=(const Bridge&) = delete;

  std::vector<std::unique_ptr<SupervisedJob>>& jobs() { return jobs_; }
  const std::vector<std::unique_ptr<SupervisedJob>>& jobs() const { return jobs_; }
  Pace& pace() { return pace_; }
  const Pace& pace() const { return pace_; }

 private:
  void add_pulls(const Shared& shared, const JobSelection& choice);
  void add_backfill(const Shared& shared, const JobSelection& choice);
  void add(std::unique_ptr<Job> job);

  Environment world_;
  Log& log_;
  Pace pace_;
  Random random_;
  DatabaseOutage outage_;
  std::atomic<bool> has_tables_{false};
  std::vector<std::unique_ptr<SupervisedJob>> jobs_;
};

// The names that `sync` takes: push, pull, and every push's and pull's own, alone (orders) or as in
// the configuration (push.orders).
std::vector<std::string> names_of(const config::Settings& settings);

}  // namespace surveybridge::daemon
