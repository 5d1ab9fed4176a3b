// A job does one bounded piece of work in each step. A step never sleeps and never retries; its
// time does not change. A step that cannot continue ends with an exception. Two jobs have requests
// on their way beside their steps: a pull its next pages (daemon/pull/fetch_ahead.hpp), a push its
// adds (daemon/push/posts.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "mapping/values/value.hpp"

namespace surveybridge::daemon {

using TimePoint = mapping::Instant;
using Duration = std::chrono::microseconds;

// The job does not continue by itself, until somebody changes something.
inline constexpr TimePoint kNever = TimePoint::max();

// The state of a job, for people and for `sync`.
struct JobStatus {
  bool caught_up = false;     // the last step found nothing more to do
  std::int64_t done = 0;      // rows or records since the job was made
  std::string unit = "rows";  // of `done`
  std::string trouble;        // why it waits, one sentence; empty: no trouble
  // Its kind. Throttled: the service answers, and asks to wait (429).
  enum class Fault { none, unreachable, throttled, configuration, person } fault = Fault::none;
  struct Share {
    std::int64_t done = 0, of = 0;  // 0 of 0: unknown
  } share;                          // the share of the work that is done
  bool degraded = false;            // the job works in spite of the trouble, which needs a person
  // What ended a step by an exception has not been tried since, as where the pace holds the job.
  bool interrupted = false;
  // Of `done`: records of a list that were new or had changed; empty: the job reads none.
  std::optional<std::int64_t> changed = {};
};

class Job {
 public:
  virtual ~Job() = default;
  virtual const std::string& name() const = 0;  // "push.orders", "pull.customers.LastActivityDate"
  // Does one piece of work; returns when it wants to be called again (`now`: at once).
  virtual TimePoint step(TimePoint now) = 0;
  virtual const JobStatus& status() const = 0;
  // Called between two steps: a person wants what this job does now, whenever it would be due. The
  // next step begins it, unless it has to wait for something else than the time.
  virtual void make_due() {}
  // The last call, at a graceful stop: gives back what others may wait for.
  virtual void leave() {}
};

}  // namespace surveybridge::daemon
