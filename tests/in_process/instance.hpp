// One daemon of a test: its jobs are stepped in the order of their wishes while the clock turns.
// It may die at any moment and be started again; several may share a database and a service.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "daemon/job/log.hpp"
#include "daemon/runtime/bridge.hpp"
#include "tests/in_process/kept_sessions.hpp"
#include "tests/in_process/virtual_world.hpp"

namespace in_process {

// Keeps every line, so that a test can look for what was said, and for what must never be.
class KeptLog final : public surveybridge::daemon::Log {
 public:
  void write(Level, std::string_view text, const surveybridge::daemon::LogFields& fields) override {
    lines_.push_back(surveybridge::daemon::line_of(text, fields));
  }
  const std::vector<std::string>& lines() const { return lines_; }
  bool has(std::string_view part) const;

 private:
  std::vector<std::string> lines_;
};

// What becomes of work that runs beside a job. It is done when it is begun; what differs is when
// the job learns that it has ended.
enum class Beside {
  nothing,            // jobs do one thing after the other
  ends_at_once,       // when it is begun
  ends_when_awaited,  // when the job waits for it
  ends_sometime       // after the job has asked none to four times
};

surveybridge::daemon::RunBeside run_beside(Beside beside, std::uint64_t seed);

struct Outside {
  std::string database;  // an SQLite file, or a connection
  sandbox::Service& service;
  TurnedClock& clock;
  OnMoment on_moment = {};
  OnExchange on_exchange = {};
  // Puts something more around the watched database.
  std::function<std::unique_ptr<surveybridge::crm::Database>(
      std::unique_ptr<surveybridge::crm::Database>)>
      wrap_database = {};
  std::string crm = {};  // the CRM's, where that is another one
  // Called around every I/O of that one; otherwise as the first.
  OnMoment on_crm_moment = {};
  bool ignores_claim_age = false;  // sends, though the bridge says that it is too late
  Beside beside = Beside::nothing;
  surveybridge::daemon::Recorder* recorder = &surveybridge::daemon::no_recorder();
  // Empty: nobody is told anything.
  std::function<std::unique_ptr<surveybridge::service::Transport>(
      const surveybridge::config::Receiver&)>
      open_messenger = {};
  KeptSessions* sessions = nullptr;  // of which the databases' are; nullptr: each opens its own
};

// What a daemon, or a command, works with there.
surveybridge::daemon::Environment environment_of(Outside outside, std::uint64_t seed);

class Instance {
 public:
  Instance(const surveybridge::config::Settings& settings, const Outside& outside,
           std::uint64_t seed, bool once = false);

  // When the next job wants a step; kNever: none.
  TimePoint next() const;
  // Steps the job that wants it first, and turns the clock there. Died leaves through here.
  void step();
  // Steps until nothing is wanted before `until`, or `steps_max`; the clock ends at `until`.
  void run_until(TimePoint until, int steps_max = 100'000);
  // The host's clock differs from the database's by so much; before the first step.
  void set_skew(surveybridge::daemon::Duration skew);
  // A graceful stop.
  void leave();

  std::vector<std::unique_ptr<surveybridge::daemon::SupervisedJob>>& jobs() {
    return bridge_->jobs();
  }
  KeptLog& log() { return log_; }

 private:
  TurnedClock& clock_;
  KeptLog log_;
  std::unique_ptr<surveybridge::service::Credentials> credentials_;
  std::unique_ptr<surveybridge::daemon::Bridge> bridge_;
  std::vector<TimePoint> wishes_;  // by the database's clock
  surveybridge::daemon::Duration skew_{0};
};

// Settings from TOML text; a test fails loudly on a problem. A text without [service] gets what a
// test seldom cares for: a service that asks for no token and bears 1000 requests a second, and the
// [crm], whose settings the text may begin with.
surveybridge::config::Settings settings_of(const std::string& toml);

}  // namespace in_process
