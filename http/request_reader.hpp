// Reads requests from the bytes of a connection. Needs no socket; never throws for what comes.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>

#include "http/message.hpp"

namespace http {

// What is read of a connection.
struct Bounds {
  std::uint32_t head = 1u << 20;   // bytes of a request's line and headers
  std::uint64_t body = 64u << 20;  // bytes
  bool keep_alive = true;          // false: one request of each connection
};

class RequestReader {
 public:
  explicit RequestReader(const Bounds& bounds);
  ~RequestReader();

  struct More {};  // the request is not whole yet
  struct Whole {
    Request request;
    Wanted wanted;
  };
  struct Refused {  // nothing behind it can be read: answer this status and close
    int status = 400;
  };
  struct Unreadable {};  // close
  using Answer = std::variant<More, Whole, Refused, Unreadable>;

  // The next request of what was fed. Refused: a head beyond its bound, or a field of more than
  // 64 KiB (431), or a body beyond its bound (413).
  Answer next();
  void feed(std::string_view bytes);
  // Has next() asked for more of a request that has begun?
  bool has_begun() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace http
