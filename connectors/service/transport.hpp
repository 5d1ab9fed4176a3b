// One HTTP exchange with the service, or a mail or message of [alert] or [report.mail]. An
// interface without state: CurlTransport is the real one; a test's transport calls the sandbox in
// process. A transport belongs to one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace surveybridge::service {

// A mail is handed to a server: the URL of its request is smtp:// or smtps://, the body the whole
// message with CR LF.
struct Mail {
  std::string from;             // of the envelope
  std::vector<std::string> to;  // those that the server refuses do not keep the others from it
  std::string user = {}, password = {};  // empty: no login
  bool plain = false;                    // smtp:// without STARTTLS, which is for this machine only
};

struct Request {
  std::string method;  // "GET", "POST"; of a mail any
  std::string url;     // absolute
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  bool once = false;  // the transport must never repeat it: new connection, not reused
  // Called immediately before the first byte of the body; false: nothing is sent (stopped). A
  // process that was paused after its claim learns here that it is too late.
  std::function<bool()> may_start = {};
  std::optional<Mail> mail = {};
  bool only_connect = false;  // name, connection, TLS and a mail's login: nothing is sent
};

struct Response {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  std::string body;
  // The end of the server's certificate in seconds since 1970; 0: not seen in this exchange (http,
  // or over an earlier connection).
  std::int64_t certificate_ends = 0;
  // Of a mail: what the server said of the addresses that it refused, e.g. "550 to address 2 of 3".
  std::vector<std::string> refused = {};

  // The first header with this (lower case) name, or "".
  std::string_view header(std::string_view name) const {
    for (const auto& [key, value] : headers)
      if (key == name) return value;
    return {};
  }
};

// An incomplete answer, or none.
struct Failure {
  enum class Kind {
    not_connected,  // name, connect or TLS failed: the service never received the request
    unknown,        // anything after the first byte may have left: reset, time-out, cut off
    too_large,      // the answer was larger than allowed; it was processed
    stopped,        // not sent: may_start was false, or the process stops before the first byte
  } kind = Kind::unknown;
  std::string detail;  // the transport's words, no header, body or query
  int status = 0;      // of an answer that was cut off or too large; 0: none
  bool timed_out = false;
};

using Exchange = std::variant<Response, Failure>;

class Transport {
 public:
  virtual ~Transport() = default;
  virtual Exchange send(const Request& request) = 0;
};

}  // namespace surveybridge::service
