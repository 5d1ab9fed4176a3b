// The limits before the operations, with a place for each request that is let in; the place is
// given back when the reply that holds it is gone. Thread-safe: a server lets go of replies in
// other threads than it takes them in.
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

  // Of a request that was let in. Outlives the Gate's owner where it must.
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
