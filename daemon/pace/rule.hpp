// The pace of one service. Pure: `attempt(now)` says go or not before when; `answered` learns.
// Holds the learned rate and places, every wait the service asked for, and a circuit that opens
// when it does not answer. Time and chance come in; time runs forward.
#pragma once

#include <optional>

#include "config/settings.hpp"
#include "daemon/pace/lanes.hpp"
#include "daemon/pace/places.hpp"
#include "daemon/pace/rate.hpp"

namespace surveybridge::daemon {

// What an answer tells the pace.
struct PaceAnswer {
  enum class Kind {
    accepted,  // let in, whatever became of it then
    refused,   // 429
    busy,      // 503 that asks to wait
    failed,    // 5xx, time-out, not connected
  } kind = Kind::accepted;
  Lane lane = Lane::read;
  TimePoint sent_at;
  int beside = 1;                 // requests under way when it left, itself included
  std::optional<Duration> wait;   // what the service asked for
  std::optional<Duration> spent;  // nothing remains of the quota for so long
};

class PaceRule {
 public:
  explicit PaceRule(const config::Pace& ceilings);

  // Empty: go, and call finished() when the answer is there. Else: not before that time. Where both
  // wait, what writes goes first; a read waits for a write that is due, but not for more than three
  // in a row.
  std::optional<TimePoint> attempt(TimePoint now, Lane lane = Lane::read);
  // Only whether the service has asked everybody to wait: until then nothing need be prepared.
  std::optional<TimePoint> held(TimePoint now, Lane lane = Lane::read);
  void finished(Lane lane = Lane::read);
  // `unit`: chance from [0, 1).
  void answered(TimePoint now, const PaceAnswer& answer, double unit);
  // Nobody sends before `until`.
  void hold(TimePoint until);

  // What is worth keeping. `read`: the service counts reading apart; `all` is then writing's.
  struct Learned {
    LearnedRate::Learned all;
    std::optional<LearnedRate::Learned> read;
  };
  Learned learned() const;
  void recall(const Learned& learned);
  // Among so many instances is every limit divided.
  void share(int instances);

  TimePoint held_until() const { return held_until_; }
  std::optional<TimePoint> refused_at() const;
  bool circuit_open() const;
  int in_flight() const { return in_flight_[0] + in_flight_[1]; }
  int places() const { return places_.allowed(); }
  bool lanes_apart() const { return apart_; }
  const LearnedRate& rate(Lane lane = Lane::read) const { return road(lane).rate; }

 private:
  // What the service counts together, as far as is known.
  struct Road {
    LearnedRate rate;
    bool pressed = false;  // somebody was told to wait for the rate
    TimePoint next{};      // the rate's next free place
    std::optional<TimePoint> refused_at{};
    TimePoint dark_since{};  // the first of the refusals in a row
    Duration silent{0};      // how long the last such time was
    int refusals = 0;        // in a row
  };

  const Road& road(Lane lane) const;
  Road& road(Lane lane);
  bool is_full(Lane lane) const;
  TimePoint told(Lane lane, TimePoint at);
  void came(TimePoint now, Lane lane);
  // Was told to come, and may still be on its way.
  bool is_awaited(TimePoint now, Lane lane) const;
  bool gives_way(TimePoint now, Lane lane) const;
  void go(TimePoint now, Lane lane);
  void accepted(TimePoint now, const PaceAnswer& answer);
  void refused(TimePoint now, const PaceAnswer& answer, double unit);
  void failed(TimePoint now, const PaceAnswer& answer, double unit);
  void look_for_lanes(TimePoint now);

  double ceiling_;
  int instances_ = 1;
  bool apart_ = false;
  std::array<Road, kLanes> roads_;  // apart: by lane; else the first is that of both
  LaneEvidence evidence_;
  LearnedPlaces places_;
  std::array<int, kLanes> in_flight_{};
  TimePoint next_of_all_{};                           // by the ceiling
  std::array<std::optional<TimePoint>, kLanes> due_;  // when somebody was told to come
  std::array<Duration, kLanes> grace_{};              // how long is waited for who is due
  int writes_in_a_row_ = 0;                           // that went before a read that waits
  TimePoint held_until_{};
  int failures_ = 0;  // in a row
};

}  // namespace surveybridge::daemon
