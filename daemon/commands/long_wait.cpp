#include "daemon/commands/long_wait.hpp"

#include "daemon/commands/command_context.hpp"

namespace surveybridge::daemon {

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
