// All jobs of one configuration, with what they share and the threads that run them. Owned by a
// command or a test, which steps the jobs itself, in the order in which `sync` runs them, or lets
// threads do that from start() to the end of join_within(). A reload replaces it as a whole.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/context/supervised_job.hpp"
#include "daemon/lists/pull_filters.hpp"
#include "daemon/pace/transport.hpp"
#include "daemon/runtime/scheduler.hpp"
#include "daemon/runtime/statement_watch.hpp"
#include "daemon/status/job_state.hpp"

namespace surveybridge::daemon {

class ChangeListener;

class Bridge {
 public:
  struct Options {
    bool once = false;  // `sync`, `backfill`
    // push, pull, or the name of a push or pull; empty: everything
    std::vector<std::string> names = {};
    // Only these walks of the pull in `names`, so many at a time; empty: no backfill
    std::vector<WalkPlan> backfill = {};
    std::size_t lanes = 1;
    // So many sessions of each database, which all jobs share; their calls are watched, and the
    // clock of the service is compared. 0: each job has its own, and nothing is watched.
    int sessions = 0;
  };
  // `settings`, `log` and `credentials` outlive the bridge.
  Bridge(const config::Settings& settings, Environment environment, Log& log,
         service::Credentials& credentials, const Options& options);
  ~Bridge();
  Bridge(const Bridge&) = delete;
  Bridge& operator=(const Bridge&) = delete;

  std::vector<std::unique_ptr<SupervisedJob>>& jobs() { return jobs_; }
  Pace& pace() { return pace_; }

  void start();
  // No job begins another step.
  void stop();
  // Waits until every job has left.
  void join();
  // The same; false: one is still in a step after that time.
  bool join_within(Duration longest);

  // Of the threads: each job with its trouble, since when it has it, and when its next step is.
  std::vector<JobState> states() const;
  // No step takes so long that only a new process helps.
  bool alive() const;
  // Why each job is stuck that has been in one step or one statement for too long, by its name.
  std::map<std::string, std::string> stuck() const;
  // Ends the waits of the jobs of this name: "all", "push", "pull", a push's or pull's name, or a
  // job's own. Returns the jobs.
  std::vector<std::string> wake(const std::string& name);
  // The service has asked to wait until then; empty: it has not.
  std::optional<TimePoint> asked_to_wait_until() const;

 private:
  void share_sessions(int most);
  void add_all(const Shared& shared, const Options& options);
  void add_pulls(const Shared& shared, const Options& options);
  void add_alert(const Shared& shared);
  void add_backfill(const Shared& shared, const Options& options);
  void add(std::unique_ptr<Job> job);
  void poll(const std::string& channel);
  void add_waits_for_database(std::vector<JobState>& states) const;
  void add_statements(std::vector<JobState>& states) const;

  const config::Settings& settings_;
  const bool once_;
  Environment world_;
  Log& log_;
  StatementWatch statements_;
  ServiceClock service_clock_;
  const ClockObserver clock_;
  Pace pace_;
  Random random_;
  DatabaseOutage outage_;
  std::atomic<bool> has_tables_{false};
  std::vector<std::unique_ptr<SupervisedJob>> jobs_;
  std::unique_ptr<Scheduler> scheduler_;
  std::unique_ptr<ChangeListener> changes_;  // ends first: it wakes jobs
};

// The names that `sync` takes: push, pull, and every push's and pull's own, alone (orders) or as in
// the configuration (push.orders).
std::vector<std::string> names_of(const config::Settings& settings);

}  // namespace surveybridge::daemon
