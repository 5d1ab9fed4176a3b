// One pace for the service, shared by every job: no request goes out before it says go. Holds the
// ceilings of [service.pace] and every wait the service asked for; a wait seen by one is a wait for
// all. Time comes in. Thread-safe.
#pragma once

#include <mutex>
#include <optional>

#include "config/settings.hpp"
#include "daemon/job.hpp"

namespace surveybridge::daemon {

class Pace {
 public:
  explicit Pace(const config::Pace& ceilings) : ceilings_(ceilings) {}

  // Empty: go, and call finished() when the answer is there. Else: not before that time.
  std::optional<TimePoint> attempt(TimePoint now);
  void finished();
  // Nobody sends before `until`.
  void hold(TimePoint until);
  TimePoint held_until() const;

 private:
  config::Pace ceilings_;
  mutable std::mutex mutex_;
  int in_flight_ = 0;
  TimePoint next_{};  // the ceiling's next free place
  TimePoint held_until_{};
};

// A place taken at the pace; gives it back when the answer is there, however that ends.
class Place {
 public:
  explicit Place(Pace& pace) : pace_(pace) {}
  ~Place() { pace_.finished(); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  Pace& pace_;
};

}  // namespace surveybridge::daemon
