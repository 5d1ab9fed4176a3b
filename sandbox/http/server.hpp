// Serves a handler over HTTP/1.1 on 127.0.0.1: many connections at once, kept alive; each reply is
// delivered as it says (whole, cut, reset, hanging). Only server.cpp includes Beast. Listens when
// constructed; has stopped when destroyed.
#pragma once

#include <functional>
#include <memory>

#include "sandbox/http/http.hpp"

namespace sandbox {

class Server {
 public:
  // Called from several threads at once.
  using Handler = std::function<Reply(const Request&)>;

  // Port 0: any free one. Throws std::runtime_error if it cannot listen.
  Server(Handler handler, unsigned short port, int threads = 4);
  ~Server();

  unsigned short port() const;
  // When it returns no handler runs and no connection is open. May be called twice.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sandbox
