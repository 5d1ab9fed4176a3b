// Answers the requests of the status page. `/health` is answered from memory; the others use one
// database session of their own: to see whether the database answers (`/ready`, the page, the
// metrics), for a report when the last one is old, for a list each time. Called by one thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "daemon/context/job_context.hpp"
#include "daemon/status/job_state.hpp"
#include "daemon/status/ledger_list.hpp"
#include "daemon/status/metrics.hpp"
#include "daemon/status/page.hpp"
#include "daemon/status/report_maker.hpp"
#include "daemon/status/server.hpp"

namespace surveybridge::daemon {

class StatusWatch {
 public:
  struct Daemon {
    std::function<std::vector<JobState>()> jobs;
    // Which jobs have been in one step or statement for too long, a line each; empty: none.
    std::function<std::string()> stuck;
    std::function<AboutDaemon()> about;
    std::function<MetricFamilies()> counted = {};  // what the registry has; empty: nothing
  };
  StatusWatch(const config::Settings& settings, const Environment& environment, Daemon daemon);

  // `target`: "/", "/health", "/ready", "/metrics", or a list with its query, such as
  // "/quarantine?page=2"; 404 for anything else. While the database does not answer, the page (503)
  // has only what is in memory, and the metrics (200) have the last report besides.
  StatusReply answer(const std::string& target);

 private:
  StatusReply health() const;
  StatusReply ready();
  bool database_answers();
  StatusReply page();
  StatusReply metrics();
  StatusReply list(const ListKind& kind, std::optional<int> page);

  Daemon daemon_;
  std::vector<std::string> pushes_;
  std::function<Duration()> uptime_;
  PageSession session_;
  std::optional<Duration> asked_at_;  // the database, by the uptime
  bool answered_ = false;             // then
  ReportMaker reports_;
};

}  // namespace surveybridge::daemon
