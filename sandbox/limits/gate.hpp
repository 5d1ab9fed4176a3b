// Applies the limits before the operations. Each request that is accepted has a place, which is
// given back when the reply that holds it is destroyed. Thread-safe: a server destroys replies in
// other threads.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "sandbox/limits/limit.hpp"

namespace sandbox {

class Gate : public std::enable_shared_from_this<Gate> {
 public:
  explicit Gate(const std::vector<LimitSpec>& specs) : limits_(specs) {}

  Limits::Verdict ask(bool write, TimePoint now) {
    const std::lock_guard lock(mutex_);
    return limits_.ask(write, now);
  }

  // The place of an accepted request. May outlive the Gate.
  std::shared_ptr<void> place(bool write) {
    const auto leave = [gate = shared_from_this(), write](void*) { gate->finish(write); };
    return {static_cast<void*>(this), leave};
  }

 private:
  std::mutex mutex_;
  Limits limits_;

  void finish(bool write) {
    const std::lock_guard lock(mutex_);
    limits_.finish(write);
  }
};

}  // namespace sandbox
