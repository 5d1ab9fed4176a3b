// A database that hangs as long as a test says.
#pragma once

#include <condition_variable>
#include <mutex>

namespace status_client {

// A database that does not answer until it is let go, and is away then. Shared with the thread that
// may outlive the test's objects.
struct Hang {
  std::mutex mutex;
  std::condition_variable changed;
  bool asked = false, over = false;

  void wait() {
    std::unique_lock lock(mutex);
    asked = true;
    changed.notify_all();
    changed.wait(lock, [this] { return over; });
  }
  void wait_until_asked() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return asked; });
  }
  void end() {
    const std::lock_guard lock(mutex);
    over = true;
    changed.notify_all();
  }
};

}  // namespace status_client
