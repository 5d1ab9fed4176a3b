// Answers the requests of the status page. `/health` is answered from memory. Each other lane has a
// database session of its own: to see whether the database answers, for a report when the last one
// is old, for a list each time. Called by one thread for each lane (server.hpp).
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daemon/context/job_context.hpp"
#include "daemon/status/ledger_list.hpp"
#include "daemon/status/metrics.hpp"
#include "daemon/status/page.hpp"
#include "http/message.hpp"

namespace surveybridge::daemon {

// Reports for the status page, each kept for a while. Used by the threads of several lanes.
class ReportMaker {
 public:
  // Called in a session's thread; must own all that it uses (page_session.hpp).
  using Make = std::function<StatusReport(crm::Database& database)>;

  // `uptime`: a clock that only moves forward.
  ReportMaker(Make make, std::function<Duration()> uptime);

  // A report that was asked for now, or at most `fresh` ago; where two in a row took long it is
  // used a hundred times as long. Waits up to `patience` for one that `session` makes. Empty: the
  // database has failed, or has not answered by then.
  std::shared_ptr<const StatusReport> get(PageSession& session, Duration fresh, Duration patience);

  // The last report that could be made, whatever has failed since.
  struct Last {
    std::shared_ptr<const StatusReport> report;  // null: none yet
    Duration age{0};
  };
  Last last() const;

 private:
  struct Kept;
  std::shared_ptr<Kept> kept_;
};

// The session of a lane, and whether its database answered lately.
class AskedSession {
 public:
  // `look`: how the database is asked; throws DatabaseError.
  AskedSession(PageSession::Open open, std::function<Duration()> uptime, PageSession::Work look)
      : uptime_(std::move(uptime)), session_(std::move(open)), look_(std::move(look)) {}
  bool answers();
  // What the last failure of the session says of the database.
  DatabaseState state() const;
  PageSession& session() { return session_; }

 private:
  std::function<Duration()> uptime_;
  PageSession session_;
  PageSession::Work look_;
  std::optional<Duration> asked_at_;  // by the uptime
  bool answered_ = false;             // then
};

class StatusWatch {
 public:
  // `counted`: what the registry has; empty: nothing.
  StatusWatch(const config::Settings& settings, const Environment& environment,
              std::function<DaemonState()> daemon, std::function<MetricFamilies()> counted = {});

  // `target`: "/", "/health", "/ready", "/metrics", or a list with its query, such as
  // "/quarantine?page=2"; 404 for anything else. While the database does not answer, the page (503)
  // has only what is in memory, and the metrics (200) have the last report besides.
  http::Reply answer(const std::string& target);

 private:
  http::Reply health() const;
  http::Reply ready();
  std::string unready_database();
  http::Reply page();
  http::Reply metrics();
  http::Reply list(const ListKind& kind, std::optional<int> page);

  std::function<DaemonState()> daemon_;
  std::function<MetricFamilies()> counted_;
  std::vector<std::string> pushes_;
  // Whether /ready has had an answer to its last look; it may still look when this is gone.
  std::shared_ptr<std::atomic<bool>> read_ = std::make_shared<std::atomic<bool>>(false);
  AskedSession ready_;
  AskedSession metrics_;
  AskedSession pages_;
  ReportMaker reports_;
};

}  // namespace surveybridge::daemon
