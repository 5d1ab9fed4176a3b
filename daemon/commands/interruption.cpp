#include "daemon/commands/interruption.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "daemon/commands/command_context.hpp"
#include "daemon/runtime/real_environment.hpp"

namespace surveybridge::daemon {

namespace {
// The delay until the end of the command is noticed.
constexpr Duration kEndIsNoticedWithin = std::chrono::milliseconds{50};
}  // namespace

Interruption::Interruption(std::string next)
    : next_(std::move(next)), listener_([this] { listen(); }) {}

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

SyncClock Interruption::clock() {
  return {system_now, [this](TimePoint until) { return wait_until(until); },
          [this] { return stopped(); }};
}

void Interruption::listen() {
  while (!signals_.wait(kEndIsNoticedWithin)) {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
  }
  std::unique_lock lock(mutex_);
  stop_ = true;
  changed_.notify_all();
  if (changed_.wait_for(lock, kStopsWithin, [this] { return ended_; })) return;
  report_error("the database does not answer: stopped without it; " + next_);
  std::_Exit(kUnreachable);
}

LongWait::LongWait(std::chrono::seconds after)
    : thread_([this, after] {
        std::unique_lock lock(mutex_);
        if (ended_.wait_for(lock, after, [this] { return over_; })) return;
        report_error(
            "still waits for the database: it does not answer, or another session has a lock");
      }) {}

LongWait::~LongWait() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  thread_.join();
}

}  // namespace surveybridge::daemon
