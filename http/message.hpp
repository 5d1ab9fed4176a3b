// A request and a reply without a socket, and the bytes of a reply. Values.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace http {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string method = {};  // "GET"
  std::string target = {};  // path and query, percent-encoded
  Headers headers = {};
  std::string body = {};
};

// What the client receives.
struct Reply {
  int status = 200;
  Headers headers = {};
  std::string body = {};
  // whole: everything. cut: the headers and half of the body, then the connection is closed. reset:
  // no byte. hang: nothing until the client gives up.
  enum class Delivery { whole, cut, reset, hang } delivery = Delivery::whole;

  // For the server only: a caller in the same process gets the body unchanged.
  bool chunked = false, gzip = false;
  std::chrono::microseconds delay{0};
  // The request's place among the requests under way; kept until the reply is destroyed.
  std::shared_ptr<void> place = nullptr;
};

// A plain text; a line end is added.
Reply text_reply(int status, std::string text);

// What a request says about the form of its reply.
struct Wanted {
  bool keep_alive = false;
  bool gzip = false;  // is accepted
  bool body = true;   // false: HEAD
};

// The reply as bytes of HTTP/1.1, in chunks if it says so, and compressed if it says so and the
// client accepts it; a reply that is cut ends in the middle.
std::string write_reply(Reply reply, const Wanted& wanted);

// The first header with this name, without regard to case; "" where there is none.
std::string_view header(const Headers& headers, std::string_view name);

// ASCII only.
bool same_ignoring_case(std::string_view a, std::string_view b);
std::string lower_case(std::string_view text);

}  // namespace http
