// A pace whose clock the test turns: the times given to it are the host's and the pace's.
#pragma once

#include <optional>

#include <gtest/gtest.h>

#include "daemon/pace/pace.hpp"

namespace pace_test {

using surveybridge::daemon::Duration;
using surveybridge::daemon::Pace;
using surveybridge::daemon::PaceAnswer;
using surveybridge::daemon::RequestClass;
using surveybridge::daemon::TimePoint;

inline constexpr TimePoint kStarted{std::chrono::hours{1}};

inline PaceAnswer answer(PaceAnswer::Kind kind, TimePoint sent_at,
                         std::optional<Duration> wait = std::nullopt) {
  PaceAnswer made;
  made.kind = kind;
  made.sent_at = sent_at;
  made.wait = wait;
  return made;
}

class TurnedPace {
 public:
  explicit TurnedPace(
      const surveybridge::config::Pace& ceilings, std::uint64_t seed = 1,
      surveybridge::daemon::Recorder& recorder = surveybridge::daemon::no_recorder())
      : pace_(
            ceilings, [this] { return now_.time_since_epoch(); }, seed, recorder) {}

  Pace& at(TimePoint now) {
    now_ = now;
    return pace_;
  }
  // One job for each class.
  std::optional<TimePoint> attempt(TimePoint now, RequestClass request_class = RequestClass::read) {
    const char* job = request_class == RequestClass::write ? "push" : "pull";
    return at(now).attempt(now, {job, request_class});
  }
  void finished(RequestClass request_class = RequestClass::read) { pace_.finished(request_class); }
  // One request, answered at once.
  void exchange(TimePoint now, const PaceAnswer& with) {
    ASSERT_FALSE(attempt(now, with.request_class));
    finished(with.request_class);
    pace_.answered(with);
  }

 private:
  TimePoint now_ = kStarted;
  Pace pace_;
};

}  // namespace pace_test
