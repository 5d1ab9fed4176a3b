// How long a service asks us to wait, in every form that docs/SERVICE.md 8 lists. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "connectors/service/transport.hpp"
#include "mapping/values/value.hpp"

namespace surveybridge::service {

using Wait = std::chrono::milliseconds;

// Longer waits are cut to this: an absurd number must not stop a bridge for 68 years.
inline constexpr Wait kWaitMax = std::chrono::hours{24};

// Retry-After's value: seconds, decimals ("1.5", rounded up) or an HTTP date, which counts from
// `now`. 0 to kWaitMax. Empty: nothing that can be understood.
std::optional<Wait> read_retry_after(std::string_view value, mapping::Instant now);

// The wait an answer asks for: Retry-After; else the reset time of X-RateLimit-Reset,
// X-Rate-Limit-Reset or RateLimit-Reset when nothing remains. A date counts from the answer's own
// Date header where there is one, so that clocks that differ do no harm.
std::optional<Wait> wait_of(const Response& response, mapping::Instant now);

// "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, IMF-fixdate, and the two older forms).
std::optional<mapping::Instant> read_http_date(std::string_view text);

}  // namespace surveybridge::service
