// The pace of the service, shared by all jobs: no request leaves without its permission. Runs the
// rate limiter (rate_limiter.hpp) on a clock that only moves forward, whatever happens to the
// host's clock; a wait that one job meets holds for all. Thread-safe.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "daemon/job/random.hpp"
#include "daemon/metrics/recorder.hpp"
#include "daemon/pace/rate_limiter.hpp"

namespace surveybridge::daemon {

// The job that asks.
struct Requester {
  std::string job;  // its name, for `status`
  RequestClass request_class = RequestClass::read;
};

class Pace {
 public:
  // `uptime`: monotonic; measures the time of an answer. `recorder` is told of waits.
  Pace(const config::Pace& ceilings, std::function<Duration()> uptime, std::uint64_t seed,
       Recorder& recorder = no_recorder());

  // Empty: go, and call finished() when the answer has come. Else: not before that time.
  std::optional<TimePoint> attempt(TimePoint now, const Requester& requester);
  // Whether all jobs wait: asked before work that would be useless.
  std::optional<TimePoint> held(TimePoint now, const Requester& requester);
  void finished(RequestClass request_class);
  // No request leaves for this time from now on. Not a time of day, because the host's clock may be
  // set within a step.
  void hold(Duration wait);
  TimePoint held_until() const;
  // For how long the service has answered, and whether it was away, as RateLimiter says it.
  Duration answering(Duration age) const;
  bool has_been_away() const;
  // Ends waits as RateLimiter::try_now does.
  void try_now();

  // What is shown and stored; times are the host's.
  struct PaceSnapshot {
    RateLimiter::Learned learned;
    std::optional<TimePoint> refused_at, held_until;  // held_until: only during a wait
    std::vector<std::string> waiting;                 // jobs that were told to wait
    bool away = false;                                // several requests in a row were not answered
  };
  PaceSnapshot known() const;
  void recall(const RateLimiter::Learned& learned);
  // Divides the limit by this number of instances.
  void share(int instances);

  // A request that leaves now; with its result the pace learns.
  struct Sent {
    TimePoint at;  // by the pace's clock
    int beside = 1;
    RequestClass request_class = RequestClass::read;
  };
  Sent sent(RequestClass request_class) const;
  void answered(const Sent& sent, PaceAnswer answer);
  // The host's time at this moment of a step.
  TimePoint wall() const;
  const std::function<Duration()>& uptime() const { return uptime_; }

 private:
  TimePoint steady() const { return TimePoint{uptime_()}; }
  // A wait that a job was told; by the pace's clock.
  struct Told {
    TimePoint at, until;
    RateLimiter::Cause cause;
  };
  std::optional<TimePoint> tell(const Requester& requester, TimePoint at,
                                std::optional<TimePoint> later);
  void came(const std::string& job, TimePoint at);

  std::function<Duration()> uptime_;
  mutable std::mutex mutex_;
  RateLimiter rule_;
  Random random_;
  Duration offset_{0};                   // the host's clock minus the pace's
  std::map<std::string, Told> waiting_;  // by job
  Recorder& recorder_;
};

// A request slot; given back when the answer has come, also after an exception.
class RequestSlot {
 public:
  RequestSlot(Pace& pace, RequestClass request_class)
      : pace_(pace), request_class_(request_class) {}
  ~RequestSlot() { pace_.finished(request_class_); }
  RequestSlot(const RequestSlot&) = delete;
  RequestSlot& operator=(const RequestSlot&) = delete;

 private:
  Pace& pace_;
  RequestClass request_class_;
};

}  // namespace surveybridge::daemon
