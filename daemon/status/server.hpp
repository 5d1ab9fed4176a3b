// Serves the status page: GET only, small requests, few connections, short time-outs. One thread
// of its own. Listens when constructed; has stopped when destroyed. Only server.cpp includes
// Beast.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "config/settings.hpp"

namespace surveybridge::daemon {

struct StatusReply {
  int code = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
};

class StatusServer {
 public:
  // Called in the server's thread, with the path without its query.
  using Handler = std::function<StatusReply(const std::string& path)>;

  // Throws std::runtime_error if it cannot listen.
  StatusServer(const config::Listen& listen, Handler handler);
  ~StatusServer();
  int port() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace surveybridge::daemon
