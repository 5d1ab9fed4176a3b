// Serves a handler over HTTP/1.1. One thread of its own reads requests and writes replies; the
// answers are made in lanes, by threads of theirs, so that none waits for one of another lane. Each
// reply is delivered as it says (whole, cut, reset, hanging). Listens when constructed; when it is
// destroyed, no handler runs and no connection is open.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "http/request_reader.hpp"

namespace http {

struct Lane {
  std::size_t threads = 4;
  // So many requests wait for an answer or are being answered; more are answered 503.
  std::size_t waiting = 1024;
};

struct ServerOptions {
  std::string host = "127.0.0.1";  // an address
  int port = 0;                    // 0: any free one
  Bounds bounds = {};
  // For one more, the connection that has waited longest for its next request gives way, or else
  // the one that has taken an answer for longest; where all answers are being made, the new one is
  // closed.
  std::size_t connections = 1024;
  // For a whole request, and for the client to take a reply. A request that has begun is answered
  // 408.
  std::chrono::seconds patience = std::chrono::hours{1};
  Headers headers = {};  // of every reply
  std::vector<Lane> lanes = {Lane{}};
  // The index of a request's lane; empty: the first.
  std::function<std::size_t(const Request&)> lane_of = {};
};

class Server {
 public:
  // Called by the threads of the request's lane, several at once. What it throws is answered 500.
  using Handler = std::function<Reply(const Request&)>;

  // Throws std::runtime_error if it cannot listen.
  Server(ServerOptions options, Handler handler);
  ~Server();
  unsigned short port() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace http
