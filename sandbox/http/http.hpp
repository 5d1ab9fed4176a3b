// A request and a reply without a socket: argument and result of Service::handle().
// Values.
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

// What the client receives.
struct Reply {
  // whole: everything. cut: the headers and half of the body, then the connection is closed. reset:
  // no byte. hang: nothing until the client gives up.
  enum class Delivery { whole, cut, reset, hang } delivery = Delivery::whole;
  int status = 200;
  Headers headers;
  std::string body;

  // For the server only: a caller in the same process gets the body unchanged.
  bool chunked = false, gzip = false;
  std::chrono::microseconds delay{0};
  // The request's place among the requests under way; kept until the reply is destroyed.
  std::shared_ptr<void> place = nullptr;
};

// The first header with this name, without regard to case; "" where there is none.
std::string_view header(const Headers& headers, std::string_view name);

bool same_ignoring_case(std::string_view a, std::string_view b);
std::string lower_case(std::string_view text);  // ASCII only

}  // namespace sandbox
