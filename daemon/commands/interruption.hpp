// What may keep a command waiting, and what ends its waits.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "daemon/job/job.hpp"
#include "daemon/runtime/signals.hpp"
#include "daemon/runtime/sync.hpp"

namespace surveybridge::daemon {

// Requests end at once; only a database statement may take longer.
inline constexpr Duration kStopsWithin = std::chrono::seconds{8};

// SIGTERM and SIGINT during a command: sets a flag, which ends the present request and every wait.
// If a database statement takes longer than kStopsWithin after that, ends the process. Made in
// main's thread before any other thread.
class Interruption {
 public:
  // `next`: what the next call of the command does, said where it is stopped.
  explicit Interruption(std::string next = "type the command again");

  // Waits until then; false: stop instead.
  bool wait_until(TimePoint until);
  bool stopped() const { return stop_; }
  // Ends the requests of a command that gives up.
  void stop() { stop_ = true; }
  // What a `sync` needs of it; it outlives that.
  SyncClock clock();
  const std::string& next() const { return next_; }
  // True once it is time to stop.
  const std::atomic<bool>& flag() const { return stop_; }

 private:
  void listen(const std::stop_token& over);

  const std::string next_;
  Signals signals_;
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::jthread listener_;  // ends first: it uses the others
};

// Says on standard error, once, that a command still waits for the database: a lock of another
// session may keep it waiting as long as [crm] statement_timeout. Ends with the object.
class LongWait {
 public:
  explicit LongWait(std::chrono::seconds after = std::chrono::seconds{10});

 private:
  std::jthread thread_;
};

}  // namespace surveybridge::daemon
