// A server on 127.0.0.1 that sends exactly the given bytes and ends its connections as told, which
// a normal HTTP server would not do. It keeps what it received. One thread for each connection; all
// end with the object.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace support {

class RawServer {
 public:
  struct Heard {       // one request, as far as it was received
    std::string head;  // with the empty line
    std::string body;
    bool whole = false;  // as long as its Content-Length says
    int connection = 0;  // 0, 1, … as they were accepted
  };
  struct Said {
    std::string bytes;
    enum class Then { listen, close, reset, hang } then = Then::listen;
  };
  // Called by the threads of the connections, one at a time.
  using Answer = std::function<Said(const Heard&)>;

  explicit RawServer(Answer answer);
  ~RawServer();
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  // Requests so far, also incomplete ones.
  std::vector<Heard> heard() const;
  // Waits for this number of requests, also incomplete ones; false: not in time.
  bool wait_for(std::size_t requests,
                std::chrono::milliseconds deadline = std::chrono::seconds(20)) const;

 private:
  struct Connection {
    int socket, number;
    std::thread thread;
  };
  void accept_all();
  void serve(Connection& connection);
  Heard hear(int socket, std::string& buffer) const;
  Said answer_to(Heard heard);

  Answer answer_;
  int listener_ = -1, port_ = 0;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<Heard> heard_;
  std::list<Connection> connections_;
  bool ending_ = false;
  std::thread acceptor_;
};

// A complete 200 with this body.
std::string ok(const std::string& body, const std::string& type = "application/json",
               const std::string& headers = "");

}  // namespace support
