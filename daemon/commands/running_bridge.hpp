// The jobs of one configuration at work, with all that belongs to it. A reload replaces it as a
// whole. Threads run from start() to the end of join_within(); destroyed when they have ended.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daemon/commands/command_context.hpp"
#include "daemon/metrics/registry.hpp"
#include "daemon/runtime/bridge.hpp"
#include "daemon/runtime/scheduler.hpp"
#include "daemon/runtime/service_clock.hpp"
#include "daemon/runtime/statement_watch.hpp"
#include "daemon/status/report_route.hpp"
#include "daemon/status/watch.hpp"

namespace surveybridge::daemon {

class ChangeListener;

class RunningBridge {
 public:
  // `registry` counts what this bridge does, and outlives it.
  RunningBridge(std::unique_ptr<CommandContext> command, Log& log, Registry& registry);
  ~RunningBridge();

  const config::Settings& settings() const { return command_->settings; }
  void start();
  // No job begins another step.
  void stop() { scheduler_.stop(); }
  // Every job has left; false: one is still in a step after that time.
  bool join_within(Duration longest) { return scheduler_.join_within(longest); }

  std::size_t jobs() { return bridge_.jobs().size(); }
  // No step takes so long that only a new process helps.
  bool alive() const;
  // Each job that has been in one step or one statement for too long, as a sentence.
  std::vector<std::string> stuck() const;
  // Ends the waits of the jobs of this name: "all", "push", "pull", a push's or pull's name, or a
  // job's own. Returns the jobs.
  std::vector<std::string> wake(const std::string& name);
  // The service has asked to wait until then; empty: it has not.
  std::optional<TimePoint> asked_to_wait_until();
  // "push.orders: 3 rows; pull.ratings: HTTP 503"
  std::string summary() const;
  // Of the status page; by the threads of its server, one for each lane (daemon/status/server.hpp).
  http::Reply answer(const http::Request& request);

  // A reload has refused the file as it is now: the status page says so.
  void refused() { refused_ = true; }

  // Each job with its trouble, since when it has it, and when its next step is.
  std::vector<JobState> states() const;

 private:
  AboutDaemon about() const;
  std::map<std::string, std::string> stuck_jobs() const;
  void add_waits_for_database(std::vector<JobState>& states) const;
  void add_statements(std::vector<JobState>& states) const;
  void poll(const std::string& channel);

  std::unique_ptr<CommandContext> command_;
  std::atomic<bool> refused_ = false;
  Duration started_;  // the process, by the uptime
  StatementWatch statements_;
  ServiceClock service_clock_;
  Bridge bridge_;
  Scheduler scheduler_;
  StatusWatch watch_;
  std::optional<ReportRoute> report_;  // [status] report
  Log& log_;
  std::unique_ptr<ChangeListener> changes_;  // ends first: it wakes jobs
};

}  // namespace surveybridge::daemon
