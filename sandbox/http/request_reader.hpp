// Reads requests from the bytes of a connection. Needs no socket; never throws for what comes.
#pragma once

#include <memory>
#include <string_view>
#include <variant>

#include "sandbox/http/http.hpp"

namespace sandbox {

class RequestReader {
 public:
  RequestReader();
  RequestReader(RequestReader&&) noexcept;
  ~RequestReader();

  struct More {};  // the request is not whole yet
  struct Whole {
    Request request;
    bool keep_alive = false, accepts_gzip = false;
  };
  struct Refused {  // nothing behind it can be read: answer this status and close
    int status = 400;
  };
  struct Unreadable {};  // close
  using Answer = std::variant<More, Whole, Refused, Unreadable>;

  // The next request of what was fed. Refused: a head of more than a megabyte, or a field of more
  // than 64 KiB (431), or a body of more than 64 MiB (413).
  Answer next();
  void feed(std::string_view bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sandbox
