#include "daemon/commands/interruption.hpp"

#include <algorithm>
#include <cstdlib>

#include "daemon/commands/command_context.hpp"
#include "daemon/runtime/real_environment.hpp"

namespace surveybridge::daemon {

namespace {
// The delay until the end of the command is noticed.
constexpr Duration kLook = std::chrono::milliseconds{50};
}  // namespace

Interruption::Interruption(Signals& signals, std::atomic<bool>& stop)
    : signals_(signals), stop_(stop), listener_([this] { listen(); }) {}

Interruption::~Interruption() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  listener_.join();
}

bool Interruption::wait_until(TimePoint until) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::max(until - system_now(), Duration{0}),
                    [this] { return stop_.load(); });
  return !stop_;
}

void Interruption::listen() {
  while (!signals_.wait(kLook)) {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
  }
  std::unique_lock lock(mutex_);
  stop_ = true;
  changed_.notify_all();
  if (changed_.wait_for(lock, kStopsWithin, [this] { return ended_; })) return;
  report_error(
      "the database does not answer: stopped without it. What is claimed is looked up at the next"
      " start");
  std::_Exit(kUnreachable);
}

}  // namespace surveybridge::daemon
