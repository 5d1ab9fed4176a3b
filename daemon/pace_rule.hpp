// The pace of one service, pure: `attempt(now)` says go or not before when; `answered` learns.
// Holds the learned rate and places, every wait the service asked for, and a circuit that opens
// when it does not answer. Time and chance come in; time runs forward.
#pragma once

#include <optional>

#include "config/settings.hpp"
#include "daemon/pace_places.hpp"
#include "daemon/pace_rate.hpp"

namespace surveybridge::daemon {

// What a request does to the service. Where both wait, what writes goes first.
enum class Lane { write, read };

// What an answer tells the pace.
struct PaceAnswer {
  enum class Kind {
    accepted,  // let in, whatever became of it then
    refused,   // 429
    busy,      // 503 that asks to wait
    failed,    // 5xx, time-out, not connected
  } kind = Kind::accepted;
  TimePoint sent_at;
  int beside = 1;                 // requests under way when it left, itself included
  std::optional<Duration> wait;   // what the service asked for
  std::optional<Duration> spent;  // nothing remains of the quota for so long
};

class PaceRule {
 public:
  explicit PaceRule(const config::Pace& ceilings);

  // Empty: go, and call finished() when the answer is there. Else: not before that time. A read
  // gives way to a write that is due, but not to more than three in a row.
  std::optional<TimePoint> attempt(TimePoint now, Lane lane = Lane::read);
  // Only whether the service has asked everybody to wait: until then nothing need be prepared.
  std::optional<TimePoint> held(TimePoint now, Lane lane = Lane::read);
  void finished() { --in_flight_; }
  // `unit`: chance from [0, 1).
  void answered(TimePoint now, const PaceAnswer& answer, double unit);
  // Nobody sends before `until`.
  void hold(TimePoint until);

  TimePoint held_until() const { return held_until_; }
  std::optional<TimePoint> refused_at() const { return refused_at_; }
  bool circuit_open() const;
  int in_flight() const { return in_flight_; }
  int places() const { return places_.allowed(); }
  LearnedRate& rate() { return rate_; }
  const LearnedRate& rate() const { return rate_; }

 private:
  TimePoint told(Lane lane, TimePoint at);
  bool gives_way(TimePoint now, Lane lane) const;
  void go(TimePoint now, Lane lane);
  void refused(TimePoint now, const PaceAnswer& answer, double unit);
  void failed(TimePoint now, const PaceAnswer& answer, double unit);

  LearnedRate rate_;
  LearnedPlaces places_;
  int in_flight_ = 0;
  bool pressed_ = false;                // somebody was told to wait for the rate
  TimePoint next_{};                    // the rate's next free place
  std::optional<TimePoint> write_due_;  // when a write was told to come
  bool read_waits_ = false;
  int writes_in_a_row_ = 0;  // that went before a read that waits
  TimePoint held_until_{};
  std::optional<TimePoint> refused_at_;
  TimePoint dark_since_{};  // the first of the refusals in a row
  Duration silent_{0};      // how long the last such time was
  int refusals_ = 0;        // in a row
  int failures_ = 0;        // in a row
};

}  // namespace surveybridge::daemon
