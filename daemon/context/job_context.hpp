// What one job works with: its own database connection and transport, and what all jobs share.
// Connects when first used, so that a daemon can start before its database. Belongs to one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/driver/notifications.hpp"
#include "connectors/service/api.hpp"
#include "daemon/job/log.hpp"
#include "daemon/job/random.hpp"
#include "daemon/metrics/recorder.hpp"
#include "daemon/pace/pace.hpp"
#include "daemon/pace/transport.hpp"

namespace surveybridge::daemon {

// Work that runs beside a job. It throws nothing. The destructor waits for its end.
class RunningWork {
 public:
  virtual ~RunningWork() = default;
  virtual bool has_ended() = 0;
  virtual void wait() = 0;
};
using RunBeside = std::function<std::unique_ptr<RunningWork>(std::function<void()> work)>;

// Connects and listens to these channels. Throws DatabaseError.
using OpenNotifications =
    std::function<std::unique_ptr<crm::Notifications>(const std::vector<std::string>& channels)>;

// What a session of the CRM's database is for, where that is another one than the store: one that
// reads cannot change anything.
enum class CrmUse { read, write };

// Database, service and clocks as the jobs use them. A command makes the real one
// (daemon/runtime/real_environment.hpp), a test its own. Four functions may be empty, which means
// that there is nothing of the kind; the others are always set.
struct Environment {
  // A session of the store: the database with the bridge's own tables. Throws DatabaseError.
  std::function<std::unique_ptr<crm::Database>()> open_database = {};
  // A session of the CRM's database, where it is another one. Throws DatabaseError. May be empty.
  std::function<std::unique_ptr<crm::Database>(CrmUse)> open_crm = {};
  std::function<std::unique_ptr<service::Transport>()> open_transport = {};
  // To a receiver of [alert]. May be empty: nobody is told anything.
  std::function<std::unique_ptr<service::Transport>(const config::Receiver&)> open_messenger = {};
  // Monotonic, and also counting during suspend: measures the age of a claim when its bytes leave.
  std::function<Duration()> uptime = {};
  std::string owner = {};  // this instance; unique
  // An instance, or a part of one, of this name has certainly ended.
  std::function<bool(const std::string& owner)> has_ended = [](const std::string&) {
    return false;
  };
  std::uint64_t seed = 0;                     // of all random numbers
  RunBeside run_beside = {};                  // may be empty: a job does one thing after the other
  OpenNotifications open_notifications = {};  // may be empty: the database cannot notify
  Recorder* recorder = &no_recorder();
};

// Shared by all jobs of one process.
struct Shared {
  const config::Settings& settings;
  const Environment& environment;
  Log& log;
  Pace& pace;
  service::Credentials& credentials;
  bool once = false;  // `sync`: everything is due now, and a job rests when it has caught up
  // Has a job of this process found, or made, the bridge's tables? Then the others do not look
  // again. nullptr: each job looks.
  std::atomic<bool>* has_tables = nullptr;
  const ClockObserver* clock = nullptr;  // of each transport
};

// A connection to the service, with its operations. Belongs to one thread.
struct ServiceLine {
  std::unique_ptr<service::Transport> transport;
  std::unique_ptr<service::Api> api;
};

class JobContext {
 public:
  explicit JobContext(const Shared& shared) : shared_(shared) {}

  // Connects what is not connected, and creates the bridge's tables if no job has yet. Throws
  // DatabaseError(connection) if the database is not reachable.
  void open();
  void open_service();  // for a job that needs no database
  // Ends the leases of instances that have certainly ended, before their time.
  void end_leases_of_the_dead();
  // The store, and the CRM's database, which may be the same object. The CRM's is connected here
  // where it is another one: throws DatabaseError.
  crm::Database& database() { return *database_; }
  crm::Database& crm(CrmUse use = CrmUse::read);
  // The CRM's clock; `db_now` where the store is the same database, whose clock tells that.
  TimePoint crm_now(TimePoint db_now) { return is_apart() ? crm().now() : db_now; }
  bool is_apart() const { return static_cast<bool>(shared_.environment.open_crm); }
  service::Api& api() { return *line_.api; }
  // One more, for requests that run beside the job.
  ServiceLine make_line();

  const config::Settings& settings() const { return shared_.settings; }
  const Environment& environment() const { return shared_.environment; }
  Log& log() { return shared_.log; }
  Pace& pace() const { return shared_.pace; }
  Recorder& recorder() const { return *shared_.environment.recorder; }
  bool once() const { return shared_.once; }

 private:
  Shared shared_;
  std::unique_ptr<crm::Database> database_;
  std::unique_ptr<crm::Database> crm_;  // where it is another one; a job uses it in one way only
  ServiceLine line_;
};

// Lease duration: longer than any step, so that the claim of a running instance is never taken for
// a dead one's.
std::chrono::seconds lease_duration(const config::Settings& settings);
// How long after a claim its POST may still start.
std::chrono::seconds latest_start(const config::Settings& settings);

}  // namespace surveybridge::daemon
