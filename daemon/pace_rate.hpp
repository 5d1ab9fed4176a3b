// A rate that is learned from what the service refuses: where it lies is measured between two
// refusals, and a probe now and then looks whether more is allowed by now. Only a refusal (429)
// lowers it; only waiting demand raises it. Pure: time comes in and runs forward; one service, one
// caller. docs/PACE.md tells the reasons.
#pragma once

#include <optional>
#include <vector>

#include "daemon/job.hpp"

namespace surveybridge::daemon {

class LearnedRate {
 public:
  // What is worth keeping for the next start.
  struct Learned {
    double per_second = 0;  // as it was last; 0: nothing known
    double edge = 0;        // where the service began to refuse; 0: it never did
  };

  // Requests per second: never above `ceiling`.
  explicit LearnedRate(double ceiling);
  // Found again after a restart: as it was, without a new climb.
  void recall(const Learned& learned);
  Learned learned() const { return {rate_, edge_}; }

  double per_second() const { return rate_; }
  // Between a refusal and the next acceptance nobody knows what is allowed.
  bool in_the_dark() const { return dark_since_.has_value(); }

  // A request leaves. `pressed`: it had to wait for this rate; else demand is what limits us.
  void sent(TimePoint now, bool pressed);
  // What became of a request that left at `sent_at`.
  void accepted(TimePoint now, TimePoint sent_at);
  void refused(TimePoint now, TimePoint sent_at);

 private:
  void grow(double seconds, TimePoint now);
  void climb(double seconds, double steepness);
  bool fell(TimePoint now) const;
  bool may_probe(TimePoint now) const;
  void settle(TimePoint released_at);
  double measured(TimePoint released_at) const;
  double edge_after(double measured) const;
  double edge_after_probe(double measured, double length) const;

  double ceiling_;
  double rate_;
  double edge_ = 0;       // the best guess of the limit; 0: no refusal yet
  double slack_ = 0;      // requests above the limit that it let in before it refused: its burst
  double credit_;         // refusals that we may still cause by looking for more
  bool settled_ = false;  // the last refusal came where it was expected
  std::optional<TimePoint> fell_at_;     // when the limit was last found much lower
  std::optional<TimePoint> sent_at_;     // the last request
  std::optional<TimePoint> dark_since_;  // a refusal, and no acceptance since
  // The last releases (the first acceptance after a refusal), the latest last, and what followed.
  struct Anchor {
    TimePoint at;
    double accepted = 0, idle = 0;  // requests; seconds without demand
  };
  std::vector<Anchor> anchors_;
  // The probe under way: since it passed the edge.
  std::optional<TimePoint> probe_since_;
  double probe_excess_ = 0, probe_accepted_ = 0;
  double refused_rate_ = 0, probe_length_ = 0;  // as they were at the refusal
};

}  // namespace surveybridge::daemon
