// The pace of the service, shared by all jobs: no request leaves without its permission. It holds
// the learned rates, the request slots, every wait that the service asked for, and a circuit that
// opens when the service does not answer. Its clock only moves forward, whatever happens to the
// host's clock; times that jobs give and get are the host's. The same seed gives the same waits.
// Thread-safe.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.hpp"
#include "daemon/job/random.hpp"
#include "daemon/metrics/recorder.hpp"
#include "daemon/pace/answer_times.hpp"
#include "daemon/pace/learned_rate.hpp"

namespace surveybridge::daemon {

// What a request does to the service.
enum class RequestClass { write, read };

// The job that asks.
struct Requester {
  std::string job;  // its name, for `status`
  RequestClass request_class = RequestClass::read;
};

// The result of a request.
struct PaceAnswer {
  enum class Kind {
    accepted,  // by the limit, whatever the status
    refused,   // 429
    failed,    // 5xx, time-out, not connected
  } kind = Kind::accepted;
  RequestClass request_class = RequestClass::read;
  TimePoint sent_at;              // by the pace's clock
  std::optional<Duration> wait;   // that the service asked for
  std::optional<Duration> spent;  // time until the quota is renewed
};

// A wait that is worth a word to people.
inline constexpr Duration kLongWait = std::chrono::minutes{5};

class Pace {
 public:
  // `uptime`: monotonic; measures the time of an answer. `recorder` is told of waits.
  Pace(const config::Pace& ceilings, std::function<Duration()> uptime, std::uint64_t seed,
       Recorder& recorder = no_recorder());

  // Empty: go, and call finished() when the answer has come. Else: not before that time. If both
  // wait for one limit, a write goes first; a read waits for a write that is due, but not for more
  // than three in a row. Of two writes, or two reads, the job goes first that has waited longer.
  std::optional<TimePoint> attempt(TimePoint now, const Requester& requester);
  // Whether all jobs wait: asked before work that would be useless.
  std::optional<TimePoint> held(TimePoint now, const Requester& requester);
  void finished(RequestClass request_class);
  void answered(const PaceAnswer& answer);
  // No request leaves for this time from now on. Not a time of day, because the host's clock may be
  // set within a step.
  void hold(Duration wait);
  TimePoint held_until() const;
  // How long ago the service's first answer was within the last `age`, and since it was away last,
  // that is, since no request was answered for ten seconds or longer. 0: there was none, or it is
  // away. As exact as AnswerTimes is.
  Duration answering(Duration age) const;
  // Was it away since this process began, or is it?
  bool has_been_away() const;
  // Ends the wait for a service that did not answer, and one that the service asked for where it is
  // longer than kLongWait: it may be a mistake. A shorter one stays.
  void try_now();

  // What is stored. `read`: reading has a limit of its own; `all` is then the limit of writing.
  struct Learned {
    LearnedRate::Learned all;
    std::optional<LearnedRate::Learned> read;
  };
  // What is shown and stored; times are the host's.
  struct PaceSnapshot {
    Learned learned;
    std::optional<TimePoint> refused_at, held_until;  // held_until: only during a wait
    std::vector<std::string> waiting;                 // jobs that were told to wait
    bool away = false;                                // several requests in a row were not answered
  };
  PaceSnapshot known() const;
  // Rates of as many limits as are configured; others are left out.
  void recall(const Learned& learned);
  // Divides every limit by this number of instances.
  void share(int instances);

  // The time of the pace's clock.
  TimePoint steady() const { return TimePoint{uptime_()}; }
  // The host's time at this moment of a step.
  TimePoint wall() const;
  const std::function<Duration()>& uptime() const { return uptime_; }

 private:
  // Failures in a row that open the circuit: then one request at a time tests the service.
  static constexpr int kCircuit = 5;
  // A service that answers nothing for this long is away.
  static constexpr Duration kAway = std::chrono::seconds{10};

  // Times below are those of the pace's clock.
  // Requests that share one limit at the service.
  struct Limit {
    LearnedRate rate;
    bool pressed = false;  // a request was told to wait for the rate
    int in_flight = 0;
    TimePoint next{};  // the next free time by the rate
    std::optional<TimePoint> refused_at{};
    int refusals = 0;  // in a row
  };
  // A wait that a job was told; the cause is a word of the metrics (daemon/metrics/registry.cpp).
  struct Wait {
    TimePoint until;
    std::string_view cause;
    TimePoint told_at{};
    RequestClass request_class = RequestClass::read;
  };

  Limit& limit(RequestClass request_class) {
    return request_class == RequestClass::write ? limits_.front() : limits_.back();
  }
  void came(const std::string& job, TimePoint at);
  std::optional<Wait> wait_of_all(TimePoint at, RequestClass request_class);
  std::optional<Wait> wait_of(TimePoint at, RequestClass request_class, TimePoint since);
  std::optional<TimePoint> tell(const Requester& requester, TimePoint at, std::optional<Wait> wait);
  bool is_full(RequestClass request_class);
  bool is_awaited(TimePoint at, RequestClass request_class) const;
  bool yields(TimePoint at, RequestClass request_class);
  bool is_preceded(TimePoint at, RequestClass request_class, TimePoint since) const;
  void go(TimePoint at, RequestClass request_class);
  void heard(TimePoint at);
  void accepted(TimePoint at, const PaceAnswer& answer);
  void refused(TimePoint at, const PaceAnswer& answer);
  void failed(TimePoint at, const PaceAnswer& answer);
  void hold_all(TimePoint until) { held_until_ = std::max(held_until_, until); }
  Duration with_jitter(Duration wait);
  bool circuit_open() const { return failures_ >= kCircuit; }
  bool is_away(TimePoint at) const { return failures_ > 0 && at - silent_since_ >= kAway; }
  TimePoint all_wait_until() const { return std::max(held_until_, circuit_until_); }

  std::function<Duration()> uptime_;
  mutable std::mutex mutex_;
  Random random_;
  Recorder& recorder_;
  config::Pace ceilings_;
  int instances_ = 1;
  std::vector<Limit> limits_;  // of all requests; or of writing and of reading
  int writes_in_a_row_ = 0;    // that went before a waiting read
  TimePoint next_of_all_{};    // by the ceiling
  TimePoint held_until_{};     // as the service asked for it
  TimePoint circuit_until_{};  // because it did not answer
  int failures_ = 0;           // in a row
  TimePoint heard_at_{};       // the last answer
  TimePoint silent_since_{};   // before the first of these failures
  AnswerTimes answers_;
  Duration offset_{0};                           // the host's clock minus the pace's
  std::map<std::string, Wait> waiting_;          // by job
  std::map<std::string, TimePoint> asks_since_;  // jobs whose request has not gone yet
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
