// What became of a request: the status codes and the table of docs/SERVICE.md 7 as values. Pure.
// Nothing here decides what to do next; daemon/ does.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "connectors/service/retry_after.hpp"
#include "connectors/service/transport.hpp"
#include "mapping/codec/codec.hpp"

namespace surveybridge::service {

// Why a request did not get what it wanted.
struct Trouble {
  enum class Kind {
    too_many,      // 429, 503 with Retry-After, 403 of a spent quota (retry_after.hpp): wait
    unauthorized,  // 401 even with a fresh token, or no token to be had
    forbidden,     // 403: a right that is missing, a row that a gateway forbids, or a passing block
    rejected,      // 400, 422: the request itself is at fault
    misplaced,     // 404, 405, 410, 3xx, 415 …: this is not the service we think it is
    unavailable,   // not connected, time-out, 5xx: later
    malformed,     // an answer that cannot be read
    stopped,       // the process stops, or was too late
  } kind = Kind::unavailable;
  int status = 0;            // 0: no answer
  std::optional<Wait> wait;  // what the service asked for
  std::string detail;        // our words or the transport's; never the body's: safe to log
};

struct Accepted {
  int status = 200;
};
struct NotSent {  // certainly not processed: may go again
  Trouble trouble;
};
struct TooLarge {};  // 413: not processed; smaller may go
struct Refused {     // 400, 422: refused as a whole, for what is in it
  int status = 400;
  mapping::ServiceError error;
};
struct Unknown {  // may or may not have been processed: never resent, only looked up
  Trouble trouble;
};
using AddOutcome = std::variant<Accepted, NotSent, TooLarge, Refused, Unknown>;

// An exchange of POST customer/add (4.1). Only 400, 401, 403, 413, 422, 429 and a connection that
// was never made say that it was not processed. A 2xx counts only where it is plausibly this
// service's: neither HTML nor another document, and no `Location` on another host than that of
// `base_url` (not compared where that is empty). Its body names no refusal, and is read to its end
// where it claims or begins as JSON or XML.
AddOutcome classify_add(const Exchange& exchange, mapping::Instant now,
                        std::string_view base_url = {});

// An exchange of a GET: the response when it is a 2xx, else why not.
std::variant<Response, Trouble> classify_read(Exchange exchange, mapping::Instant now);

const char* to_string(Trouble::Kind kind);

}  // namespace surveybridge::service
