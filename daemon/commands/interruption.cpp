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

// False: `over` is not told so within this time.
bool ends_within(const std::stop_token& over, Duration time) {
  std::mutex mutex;
  std::condition_variable_any ended;
  std::unique_lock lock(mutex);
  return ended.wait_for(lock, over, time, [&] { return over.stop_requested(); });
}

}  // namespace

Interruption::Interruption(std::string next)
    : next_(std::move(next)), listener_([this](const std::stop_token& over) { listen(over); }) {}

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

void Interruption::listen(const std::stop_token& over) {
  while (!signals_.wait(kEndIsNoticedWithin))
    if (over.stop_requested()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (ends_within(over, kStopsWithin)) return;
  report_error("the database does not answer: stopped without it; " + next_);
  std::_Exit(kUnreachable);
}

LongWait::LongWait(std::chrono::seconds after)
    : thread_([after](const std::stop_token& over) {
        if (ends_within(over, after)) return;
        report_error(
            "still waits for the database: it does not answer, or another session has a lock");
      }) {}

}  // namespace surveybridge::daemon
