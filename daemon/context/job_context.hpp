// What one job works with: its own database connection, its own transport, and what all jobs share.
// Opens lazily, so that a daemon starts before its database does. Belongs to one thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"
#include "connectors/service/api.hpp"
#include "daemon/job/log.hpp"
#include "daemon/job/random.hpp"
#include "daemon/pace/pace.hpp"

namespace surveybridge::daemon {

// The outside as the jobs see it. main makes the real one; a test its own.
struct Environment {
  std::function<std::unique_ptr<crm::Database>()> open_database;
  std::function<std::unique_ptr<service::Transport>()> open_transport;
  // Monotonic, and counting while the machine sleeps: how old a claim is when its bytes leave.
  std::function<Duration()> uptime;
  std::string owner;       // this instance; unique for ever
  std::uint64_t seed = 0;  // of all chance
};

// Shared by all jobs of one process.
struct Shared {
  const config::Settings& settings;
  const Environment& environment;
  Log& log;
  Pace& pace;
  service::Credentials& credentials;
  bool once = false;  // `sync`: everything is due now, and a job rests when it has caught up
};

class JobContext {
 public:
  explicit JobContext(const Shared& shared) : shared_(shared) {}

  // Opens what is closed and makes the bridge's tables the first time.
  // Throws DatabaseError(connection) while the database is not there.
  void open();
  void open_service();  // for a job that needs no database
  crm::Database& database() { return *database_; }
  service::Api& api() { return *api_; }

  const config::Settings& settings() const { return shared_.settings; }
  const Environment& environment() const { return shared_.environment; }
  Log& log() { return shared_.log; }
  Pace& pace() const { return shared_.pace; }
  bool once() const { return shared_.once; }

 private:
  Shared shared_;
  std::unique_ptr<crm::Database> database_;
  std::unique_ptr<service::Transport> transport_;
  std::unique_ptr<service::Api> api_;
};

// How long an instance's word holds: longer than any step may take, so that a claim whose owner
// lives is never taken for a dead one's.
std::chrono::seconds lease_duration(const config::Settings& settings);

}  // namespace surveybridge::daemon
