// The wait that a service asks for, in every form of docs/SERVICE.md 8. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "connectors/service/transport.hpp"
#include "mapping/values/value.hpp"

namespace surveybridge::service {

using Wait = std::chrono::milliseconds;

// No wait is longer, because an absurd number must not stop the bridge for 68 years.
inline constexpr Wait kWaitMax = std::chrono::hours{24};
// The wait for a number that is longer than that in every unit, and for a moment further ahead.
inline constexpr Wait kWaitUnclear = std::chrono::hours{1};
// The most seconds of a reset time, and of a Retry-After of whole thousands: a larger number is one
// of milliseconds, or a time since 1970.
inline constexpr Wait kResetMax = std::chrono::hours{1};

// A wait: seconds, decimals ("1.5", rounded up), an HTTP date or an instant of ISO 8601, relative
// to `now`. A number that means more than `seconds_max` in seconds is read as milliseconds, or as a
// time since 1970 in seconds, milliseconds, microseconds or nanoseconds. 0 to kWaitMax. Empty: not
// understood.
std::optional<Wait> read_retry_after(std::string_view value, mapping::Instant now,
                                     Wait seconds_max = kWaitMax);

// The wait that an answer asks for: the longest Retry-After, one of whole thousands with kResetMax;
// otherwise the reset time of X-RateLimit-Reset, X-RateLimit-Reset-After, X-Rate-Limit-Reset or
// RateLimit-Reset if nothing remains, read in the same way with kResetMax. A date is relative to
// the answer's own Date header if there is one, so that different clocks do no harm.
std::optional<Wait> wait_of(const Response& response, mapping::Instant now);

// Does nothing remain of the quota, by X-RateLimit-Remaining, X-Rate-Limit-Remaining or
// RateLimit-Remaining?
bool nothing_remains(const Response& response);

// Is it a refusal for the number of requests? 429, and 403 that asks to wait or says that nothing
// remains.
bool is_refused_for_rate(const Response& response);

// "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, IMF-fixdate, and the two older forms).
std::optional<mapping::Instant> read_http_date(std::string_view text);

}  // namespace surveybridge::service
