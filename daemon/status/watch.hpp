// Answers the requests of the status page: makes a report when the last one is old, with a database
// connection of its own. Called by one thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "daemon/context/job_context.hpp"
#include "daemon/status/page.hpp"
#include "daemon/status/server.hpp"

namespace surveybridge::daemon {

class StatusWatch {
 public:
  struct Daemon {
    std::function<std::vector<JobState>()> jobs;
    std::function<bool()> alive;  // no step takes too long
  };
  StatusWatch(const config::Settings& settings, const Environment& environment, Daemon daemon)
      : settings_(settings), world_(environment), daemon_(std::move(daemon)) {}

  // "/", "/health", "/metrics"; 404 for anything else, 503 while the database does not answer.
  StatusReply answer(const std::string& path);

 private:
  // Empty: the database does not answer.
  const StatusReport* current();

  const config::Settings& settings_;
  const Environment& world_;
  Daemon daemon_;
  std::unique_ptr<crm::Database> database_;
  std::optional<StatusReport> report_;
  std::optional<Duration> gathered_;  // uptime
};

}  // namespace surveybridge::daemon
