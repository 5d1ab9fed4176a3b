// Serves a handler over HTTP/1.1 on 127.0.0.1: many connections at once, kept alive, each reply
// delivered as it says (whole, cut, reset, hanging). The only file that knows Beast is server.cpp.
// Owner: main or the test. Listens when constructed; has stopped when destroyed.
#pragma once

#include <functional>
#include <memory>

#include "sandbox/http/http.hpp"

namespace sandbox {

class Server {
 public:
  // Called from several threads at once.
  using Handler = std::function<Reply(const Request&)>;

  // Port 0: any free one. Throws std::runtime_error where it cannot listen.
  Server(Handler handler, unsigned short port, int threads = 4);
  ~Server();

  unsigned short port() const;
  // No handler runs and no connection is open once it returns. May be called twice.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sandbox
