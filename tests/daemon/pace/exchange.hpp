// One request and its answer, for tests of the rate limiter.
#pragma once

#include <optional>

#include <gtest/gtest.h>

#include "daemon/pace/rate_limiter.hpp"

namespace pace_test {

using surveybridge::daemon::Duration;
using surveybridge::daemon::PaceAnswer;
using surveybridge::daemon::RateLimiter;
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

// One request, answered at once.
inline void exchange(RateLimiter& rule, TimePoint now, const PaceAnswer& with) {
  ASSERT_FALSE(rule.attempt(now));
  rule.finished();
  rule.answered(now, with, 0.5);
}

}  // namespace pace_test
