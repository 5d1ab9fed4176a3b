// One pace for the service, shared by every job: no request goes out before it says go. Keeps the
// rule (rule.hpp) on a clock that only runs forward, whatever happens to the host's; a wait
// seen by one is a wait for all. Thread-safe.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "daemon/job/random.hpp"
#include "daemon/pace/rate_limiter.hpp"

namespace surveybridge::daemon {

// Who asks to go.
struct Requester {
  std::string job;  // its name, for `status`
  RequestClass request_class = RequestClass::read;
};

class Pace {
 public:
  // `uptime`: monotonic; how long an answer took is measured with it.
  Pace(const config::Pace& ceilings, std::function<Duration()> uptime, std::uint64_t seed);

  // Empty: go, and call finished() when the answer is there. Else: not before that time.
  std::optional<TimePoint> attempt(TimePoint now, const Requester& requester);
  // Whether everybody waits: asked before work that would be done for nothing.
  std::optional<TimePoint> held(TimePoint now, const Requester& requester);
  void finished(RequestClass request_class);
  // Nobody sends for so long from now on. No time of day: the host's clock may be turned within a
  // step.
  void hold(Duration wait);
  TimePoint held_until() const;

  // What is worth telling and keeping; times are the host's.
  struct PaceSnapshot {
    RateLimiter::Learned learned;
    std::optional<TimePoint> refused_at, held_until;  // held: only while it is
    std::vector<std::string> waiting;                 // jobs that were told to come later
  };
  PaceSnapshot known() const;
  void recall(const RateLimiter::Learned& learned);
  // The limit is divided among so many instances.
  void share(int instances);

  // A request that leaves now, and what became of it: what the pace learns from.
  struct Sent {
    TimePoint at;  // by the pace's own clock
    int beside = 1;
    RequestClass request_class = RequestClass::read;
  };
  Sent sent(RequestClass request_class) const;
  void answered(const Sent& sent, PaceAnswer answer);
  // The host's time as it is at this moment of a step.
  TimePoint wall() const;

 private:
  TimePoint steady() const { return TimePoint{uptime_()}; }
  std::optional<TimePoint> tell(const Requester& requester, std::optional<TimePoint> later);

  std::function<Duration()> uptime_;
  mutable std::mutex mutex_;
  RateLimiter rule_;
  Random random_;
  Duration offset_{0};                        // the host's clock less ours
  std::map<std::string, TimePoint> waiting_;  // jobs, and when they were told to come; ours
};

// A place taken at the pace; gives it back when the answer is there, however that ends.
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
