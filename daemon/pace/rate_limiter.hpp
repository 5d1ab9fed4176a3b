// The pace of one service. Pure: `attempt(now)` says "go" or when to ask again; `answered` learns.
// Holds the learned rate, the request slots, every wait that the service asked for, and a circuit
// that opens when it does not answer. Time and random numbers are arguments; time moves forward.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <optional>

#include "config/settings.hpp"
#include "daemon/pace/answer_times.hpp"
#include "daemon/pace/learned_rate.hpp"
#include "daemon/pace/request_class.hpp"

namespace surveybridge::daemon {

// The number of requests that may be under way at the same time: the ceiling, or what a service
// that limits this number accepts. Refusals lower it if they only meet requests that left beside
// many others, although few do.
class ConcurrencyLimit {
 public:
  explicit ConcurrencyLimit(int ceiling);
  int allowed() const { return allowed_; }

  // `beside`: requests under way when this one left, including itself.
  void accepted(int beside);
  // A refusal that the rate does not explain. True: the number of requests was the cause.
  bool refused(int beside);

 private:
  static constexpr int kMost = 64;
  double share_of(int beside) const;
  void settle(int places);

  int ceiling_, allowed_;
  int trial_after_;  // acceptances at the limit before one more is tried
  int at_limit_ = 0;
  bool on_trial_ = false;                   // the last request slot is being tried
  std::array<double, kMost + 1> let_in_{};  // recent acceptances, by the number beside
  std::deque<int> refused_;                 // the number beside, the latest first
};

// The result of a request, for the pace.
struct PaceAnswer {
  enum class Kind {
    accepted,  // by the limit, whatever the status
    refused,   // 429
    busy,      // 503 with a wait
    failed,    // 5xx, time-out, not connected
  } kind = Kind::accepted;
  RequestClass request_class = RequestClass::read;
  TimePoint sent_at;
  int beside = 1;                 // requests under way when it left, including itself
  std::optional<Duration> wait;   // that the service asked for
  std::optional<Duration> spent;  // time until the quota is renewed
};

// A wait that is worth a word to people.
inline constexpr Duration kLongWait = std::chrono::minutes{5};

class RateLimiter {
 public:
  explicit RateLimiter(const config::Pace& ceilings);

  // Empty: go, and call finished() when the answer has come. Else: not before that time. If both
  // wait, a write goes first; a read waits for a write that is due, but not for more than three in
  // a row.
  std::optional<TimePoint> attempt(TimePoint now, RequestClass request_class = RequestClass::read);
  // Only whether the service asked all to wait: until then nothing needs to be prepared.
  std::optional<TimePoint> held(TimePoint now, RequestClass request_class = RequestClass::read);
  // Why a request that was just told to come again has to wait: the service refused one or asked to
  // wait, it failed several times in a row, no request slot is free, or for the rate.
  enum class Cause { refused, failures, slot, rate };
  Cause why_waits(TimePoint now, RequestClass request_class) const;
  void finished(RequestClass request_class = RequestClass::read);
  // `unit`: a random number in [0, 1).
  void answered(TimePoint now, const PaceAnswer& answer, double unit);
  // No request leaves before `until`.
  void hold(TimePoint until);
  // Ends the wait for a service that did not answer, and one that the service asked for where it is
  // longer than kLongWait: it may be a mistake. A shorter one stays.
  void try_now(TimePoint now);

  // What is stored. `read`: reading has a limit of its own; `all` is then the limit of writing.
  struct Learned {
    LearnedRate::Learned all;
    std::optional<LearnedRate::Learned> read;
  };
  Learned learned() const;
  void recall(const Learned& learned);
  // Divides every limit by this number of instances.
  void share(int instances);

  TimePoint held_until() const { return std::max(held_until_, circuit_until_); }
  std::optional<TimePoint> refused_at() const;
  bool circuit_open() const;
  // How long ago the service's first answer was within the last `age`, and since it was away last,
  // that is, since no request was answered for ten seconds or longer. 0: there was none, or it is
  // away. As exact as AnswerTimes is.
  Duration answering(TimePoint now, Duration age) const;
  // Was it away since this process began, or is it?
  bool has_been_away(TimePoint now) const;
  int in_flight() const { return in_flight_[0] + in_flight_[1]; }
  int places() const { return places_.allowed(); }
  bool classes_apart() const { return split_batches_; }
  const LearnedRate& rate(RequestClass request_class = RequestClass::read) const {
    return limit_state(request_class).rate;
  }

 private:
  // Requests that share one limit at the service, as far as is known.
  struct LimitState {
    LearnedRate rate;
    bool pressed = false;  // a request was told to wait for the rate
    TimePoint next{};      // the next free time by the rate
    std::optional<TimePoint> refused_at{};
    TimePoint blocked_since{};  // the first of the refusals in a row
    Duration silent{0};         // the length of the last such time
    int refusals = 0;           // in a row
  };

  const LimitState& limit_state(RequestClass request_class) const;
  LimitState& limit_state(RequestClass request_class);
  bool is_full(RequestClass request_class) const;
  TimePoint told(RequestClass request_class, TimePoint at);
  void came(TimePoint now, RequestClass request_class);
  // Was told a time and may still come.
  bool is_awaited(TimePoint now, RequestClass request_class) const;
  bool yields(TimePoint now, RequestClass request_class) const;
  void go(TimePoint now, RequestClass request_class);
  void accepted(TimePoint now, const PaceAnswer& answer);
  void refused(TimePoint now, const PaceAnswer& answer, double unit);
  void failed(TimePoint now, const PaceAnswer& answer, double unit);
  void compare_request_classes(TimePoint now);
  void heard(TimePoint now);
  bool is_away(TimePoint now) const;

  double ceiling_;
  int instances_ = 1;
  bool split_batches_ = false;
  std::array<LimitState, kRequestClasses>
      limit_states_;  // separate limits: by class; otherwise the first is that of both
  RequestClassEvidence evidence_;
  ConcurrencyLimit places_;
  std::array<int, kRequestClasses> in_flight_{};
  TimePoint next_of_all_{};                                    // by the ceiling
  std::array<std::optional<TimePoint>, kRequestClasses> due_;  // when a request was told to come
  std::array<Duration, kRequestClasses> grace_{};              // how long a place is kept for it
  int writes_in_a_row_ = 0;                                    // that went before a waiting read
  TimePoint held_until_{};                                     // as the service asked for it
  TimePoint circuit_until_{};                                  // because it did not answer
  int failures_ = 0;                                           // in a row
  TimePoint heard_at_{};                                       // the last answer
  TimePoint silent_since_{};                                   // before the first of these failures
  AnswerTimes answers_;
};

}  // namespace surveybridge::daemon
