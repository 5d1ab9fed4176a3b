// SIGTERM and SIGINT during a command: sets `stop`, which ends the present request and every wait.
// If a database statement takes longer than kStopsWithin after that, ends the process. Owned by a
// command; `signals` and `stop` outlive it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "daemon/job/job.hpp"
#include "daemon/runtime/signals.hpp"

namespace surveybridge::daemon {

// Requests end at once; only a database statement may take longer.
inline constexpr Duration kStopsWithin = std::chrono::seconds{8};

class Interruption {
 public:
  Interruption(Signals& signals, std::atomic<bool>& stop);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // Waits until then; false: stop instead.
  bool wait_until(TimePoint until);
  bool stopped() const { return stop_; }

 private:
  void listen();

  Signals& signals_;
  std::atomic<bool>& stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::thread listener_;
};

}  // namespace surveybridge::daemon
