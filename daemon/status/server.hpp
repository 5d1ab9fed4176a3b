// Serves the status page: GET only, small requests with one Host each, few connections, short
// time-outs; a client that sends nothing gives way to the next. One thread of its own reads
// requests, writes answers, and makes those that need nothing but memory; each other lane has a
// thread, which makes one answer after the other. So no answer waits for one of another lane.
// Listens when constructed; has stopped when destroyed. Only server.cpp includes Beast.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "daemon/status/lane.hpp"

namespace surveybridge::daemon {

struct StatusRequest {
  std::string target;              // the path, and the query behind "?"
  std::string host;                // as its only header Host says it
  std::string authorization = {};  // empty: the request has no such header, or several
};

struct StatusReply {
  int code = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::string> challenges = {};  // headers WWW-Authenticate
};

class StatusServer {
 public:
  // Called in the thread of the request's lane.
  using Handler = std::function<StatusReply(const StatusRequest& request)>;
  // So many requests of a lane wait or are being answered; more are answered 503. All lanes
  // together leave half of the connections to what is answered from memory.
  static constexpr int kWaiting = 4;

  // Throws std::runtime_error if it cannot listen.
  StatusServer(const config::Listen& listen, Handler handler);
  ~StatusServer();
  int port() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace surveybridge::daemon
