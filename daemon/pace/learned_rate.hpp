// A rate that is learned from refusals (429): it rises while requests wait for it, falls after a
// refusal, and never passes a ceiling. Only a refusal lowers it. Pure: the time is an argument and
// moves forward; one limit of a service, one caller. Reasons: docs/SERVICE.md.
#pragma once

#include <optional>

#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

class LearnedRate {
 public:
  // What is stored for the next start.
  struct Learned {
    double per_second = 0;  // the last rate; 0: unknown
    double edge = 0;        // the highest rate that probably passes; 0: nothing was ever refused
  };

  // Requests a second.
  explicit LearnedRate(double ceiling);
  // After a restart: continues with the stored rate, without a new climb.
  void recall(const Learned& learned);
  Learned learned() const { return {rate_, edge_}; }
  // The rate and the ceiling are divided by this number from now on.
  void share(int instances);

  double per_second() const { return rate_; }
  // Between a refusal and the next acceptance the limit is unknown.
  bool is_blocked() const { return blocked_since_.has_value(); }

  // A request leaves. `pressed`: it had to wait for this rate; otherwise demand is the limit.
  void sent(TimePoint now, bool pressed);
  // The result of a request that left at `sent_at`.
  void accepted(TimePoint sent_at);
  void refused(TimePoint now);

 private:
  double bounded(double rate) const;
  void rise(double seconds);
  void settle(TimePoint accepted_at);
  void fall(TimePoint released_at);

  double ceiling_;
  int instances_ = 1;
  double rate_;
  double edge_ = 0;
  double risen_ = 0;                        // how often the rise has doubled since the last fall
  double accepted_ = 0;                     // requests since the last release
  double idle_ = 0;                         // seconds since then without a request that waited
  std::optional<TimePoint> since_;          // the last release, or the first accepted request
  std::optional<TimePoint> sent_at_;        // the last request
  std::optional<TimePoint> blocked_since_;  // a refusal, and no acceptance since
  TimePoint again_at_{};                    // its last refusal
};

}  // namespace surveybridge::daemon
