// The wait that a service asks for, in every form of docs/SERVICE.md 8. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "connectors/service/transport.hpp"
#include "mapping/values/value.hpp"

namespace surveybridge::service {

using Wait = std::chrono::milliseconds;

// Longer waits are cut to this, because an absurd number must not stop the bridge for 68 years.
inline constexpr Wait kWaitMax = std::chrono::hours{24};

// The value of Retry-After: seconds, decimals ("1.5", rounded up) or an HTTP date, relative to
// `now`. 0 to kWaitMax. Empty: not understood.
std::optional<Wait> read_retry_after(std::string_view value, mapping::Instant now);

// The wait that an answer asks for: Retry-After; otherwise the reset time of X-RateLimit-Reset,
// X-Rate-Limit-Reset or RateLimit-Reset if nothing remains. A date is relative to the answer's own
// Date header if there is one, so that different clocks do no harm.
std::optional<Wait> wait_of(const Response& response, mapping::Instant now);

// "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, IMF-fixdate, and the two older forms).
std::optional<mapping::Instant> read_http_date(std::string_view text);

}  // namespace surveybridge::service
