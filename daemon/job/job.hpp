// A job: one bounded piece of work at a time. A step never sleeps, never retries in place and knows
// no thread; time stands still within it. What cannot go on leaves a step as an exception.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "mapping/values/value.hpp"

namespace surveybridge::daemon {

using TimePoint = mapping::Instant;
using Duration = std::chrono::microseconds;

// A job that will not go on by itself: until somebody changes something.
inline constexpr TimePoint kNever = TimePoint::max();

// Where a job stands, for people and for `sync`.
struct JobStatus {
  bool caught_up = false;     // the last step found nothing more to do
  std::int64_t done = 0;      // rows or records since the job was made
  std::string unit = "rows";  // of `done`
  std::string trouble;        // why it waits, one sentence; empty: all is well
  enum class Fault { none, unreachable, configuration, person } fault = Fault::none;  // of it
  struct Share {
    std::int64_t done = 0, of = 0;  // 0 of 0: nobody knows
  } share;                          // how much of all there is to do is behind it
  bool degraded =
      false;  // all the same: the trouble is for a person to see to, and holds up nothing
};

class Job {
 public:
  virtual ~Job() = default;
  virtual const std::string& name() const = 0;  // "push.orders", "pull.customers.LastActivityDate"
  // Does one piece of work; says when it wants to be called again (`now`: at once).
  virtual TimePoint step(TimePoint now) = 0;
  virtual const JobStatus& status() const = 0;
  // The last call, on a graceful stop: gives back what others may wait for.
  virtual void leave() {}
};

}  // namespace surveybridge::daemon
