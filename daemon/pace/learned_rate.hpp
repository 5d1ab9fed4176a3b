// A rate that is learned from what the service refuses. It rises slowly to the edge that it knows,
// looks now and then beyond, and takes a refusal for what it measures; what looks may cost is
// earned by what was let in. Only a refusal (429) lowers it; only waiting demand raises it. Pure:
// time comes in and runs forward; one service, one caller. docs/PACE.md tells the reasons.
#pragma once

#include <optional>

#include "daemon/job/job.hpp"

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
  // As much as that is likely: to be looked at soon.
  void guess(const Learned& likely);
  Learned learned() const { return {rate_, edge_}; }
  // Among so many, of the same right, is the limit divided from now on, and the ceiling too.
  void share(int instances);

  double per_second() const { return rate_; }
  // Between a refusal and the next acceptance nobody knows what is allowed.
  bool in_the_dark() const { return dark_since_.has_value(); }

  // A request leaves. `pressed`: it had to wait for this rate; else demand is what limits us.
  void sent(TimePoint now, bool pressed);
  // What became of a request that left at `sent_at`.
  void accepted(TimePoint now, TimePoint sent_at);
  void refused(TimePoint now, TimePoint sent_at);

 private:
  // What was let in since a moment, and how long of it there was nothing to send.
  struct Stretch {
    TimePoint since;
    double accepted = 0, idle = 0;  // requests; seconds

    double busy(TimePoint end) const;  // seconds
  };

  double bounded(double rate) const;
  void rise(TimePoint now);
  Duration between_looks() const;
  bool may_look(TimePoint now) const;
  double looking(TimePoint now);
  void count(TimePoint now, TimePoint sent_at);
  void settle(TimePoint accepted_at);
  void learn(TimePoint released_at);
  double measured(TimePoint released_at) const;
  double edge_after_look(TimePoint released_at) const;
  double edge_after_rise(TimePoint released_at) const;

  double ceiling_;
  int instances_ = 1;
  double rate_;
  double edge_ = 0;  // the best guess of the limit; 0: no refusal yet
  // The account of refusals: what we may still cause, what the event under way and the last one
  // came to.
  double credit_, event_ = 0, price_ = 1;
  double burst_ = 0;     // requests beyond the edge that a look was let in with
  double step_;          // of the way to where it was refused, such a look raises the edge
  bool soon_ = false;    // the last refusal came soon after the one before
  double height_ = 1;    // so far above the edge a look goes, as a share of it
  Duration wait_{0};     // how long the last dark time was
  Duration between_{0};  // looks; soon again when the last refusal moved the edge
  double usual_ = 0;     // requests a second that were let in of late
  double held_ = 0;      // the edge that held for long
  struct Fall {
    TimePoint at;
    double from = 0;
  };
  std::optional<Fall> fall_;             // the limit was found far below what had been usual
  std::optional<TimePoint> sent_at_;     // the last request
  std::optional<TimePoint> heard_at_;    // the last acceptance
  std::optional<TimePoint> dark_since_;  // a refusal, and no acceptance since
  TimePoint again_at_{};                 // the last refusal of it
  double refused_rate_ = 0;              // as it was then
  std::optional<Stretch> free_;          // since the last release
  std::optional<Stretch> look_;          // since the look under way began
};

}  // namespace surveybridge::daemon
