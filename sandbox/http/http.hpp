// A request and a reply as they cross the wire, without a socket: what Service::handle() takes and
// gives. Values, owned by whoever made them.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sandbox {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string method;  // "GET"
  std::string target;  // path and query, percent-encoded
  Headers headers;
  std::string body;
};

// What reaches the client.
struct Reply {
  // whole: all of it. cut: headers and half of the body, then the connection closes.
  // reset: no byte. hang: nothing until the client gives up.
  enum class Delivery { whole, cut, reset, hang } delivery = Delivery::whole;
  int status = 200;
  Headers headers;
  std::string body;

  // For the server alone: a caller in process gets the body as it is, at once.
  bool chunked = false, gzip = false;
  std::chrono::microseconds delay{0};
  // The request's place among those served at the same time, kept until the reply is gone.
  std::shared_ptr<void> place = nullptr;
};

// The first header with this name, without regard to case; "" where there is none.
std::string_view header(const Headers& headers, std::string_view name);

bool same_ignoring_case(std::string_view a, std::string_view b);
std::string lower_case(std::string_view text);  // ASCII only

}  // namespace sandbox
