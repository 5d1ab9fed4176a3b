// A rate that is learned from refusals (429). It rises slowly to the known edge, probes above it
// from time to time, and uses each refusal as a measurement. The budget for probes is earned by
// accepted requests. Only a refusal lowers it; only waiting demand raises it. Pure: the time is an
// argument and moves forward; one service, one caller. Reasons: docs/SERVICE.md.
#pragma once

#include <optional>

#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

class LearnedRate {
 public:
  // What is stored for the next start.
  struct Learned {
    double per_second = 0;  // the last rate; 0: unknown
    double edge = 0;        // where the service began to refuse; 0: never
  };

  // Requests a second, never above `ceiling`.
  explicit LearnedRate(double ceiling);
  // After a restart: continues with the stored rate, without a new climb.
  void recall(const Learned& learned);
  // A likely rate that is probed soon.
  void guess(const Learned& likely);
  Learned learned() const { return {rate_, edge_}; }
  // The limit and the ceiling are divided by this number from now on.
  void share(int instances);

  double per_second() const { return rate_; }
  // Between a refusal and the next acceptance the limit is unknown.
  bool is_blocked() const { return blocked_since_.has_value(); }

  // A request leaves. `pressed`: it had to wait for this rate; otherwise demand is the limit.
  void sent(TimePoint now, bool pressed);
  // The result of a request that left at `sent_at`.
  void accepted(TimePoint now, TimePoint sent_at);
  void refused(TimePoint now, TimePoint sent_at);

 private:
  // Accepted requests since a moment, and the time without anything to send.
  struct Stretch {
    TimePoint since;
    double accepted = 0, idle = 0;  // requests; seconds

    double busy(TimePoint end) const;  // seconds
  };

  double bounded(double rate) const;
  void rise(TimePoint now);
  Duration probe_interval() const;
  bool may_probe(TimePoint now) const;
  double next_probe_rate(TimePoint now);
  void count(TimePoint now, TimePoint sent_at);
  void settle(TimePoint accepted_at);
  void learn(TimePoint released_at);
  double measured(TimePoint released_at) const;
  bool is_faster_than_measured(TimePoint now) const;
  double edge_after_probe(TimePoint released_at) const;
  double edge_after_rise(TimePoint released_at) const;

  double ceiling_;
  int instances_ = 1;
  double rate_;
  double edge_ = 0;    // the best guess of the limit; 0: no refusal yet
  double slower_ = 0;  // the limit, where it was below any edge that is kept; 0: it was not
  // The budget of refusals: what may still be caused, and the cost of the present and the last
  // event.
  double credit_, event_ = 0, price_ = 1;
  double burst_ = 0;     // requests above the edge that were accepted in a probe
  double step_;          // the part of the way to the refused rate by which a probe raises the edge
  bool soon_ = false;    // the last refusal came soon after the one before
  double height_ = 1;    // how far above the edge a probe goes, as a share of it
  Duration wait_{0};     // the length of the last blocked time
  Duration between_{0};  // between probes; short when the last refusal moved the edge
  double usual_ = 0;     // requests a second that were accepted recently
  double held_ = 0;      // the edge that held for a long time
  struct Fall {
    TimePoint at;
    double from = 0;
  };
  std::optional<Fall> fall_;                // the limit was found far below the usual rate
  std::optional<TimePoint> sent_at_;        // the last request
  std::optional<TimePoint> heard_at_;       // the last acceptance
  std::optional<TimePoint> blocked_since_;  // a refusal, and no acceptance since
  TimePoint again_at_{};                    // its last refusal
  double refused_rate_ = 0;                 // the rate at that time
  std::optional<Stretch> free_;             // since the last release
  std::optional<Stretch> probe_;            // since the present probe began
};

}  // namespace surveybridge::daemon
