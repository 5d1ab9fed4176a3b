// A mail server on 127.0.0.1 that speaks as much SMTP as a test needs, without TLS. It keeps what
// it heard. One connection at a time; its thread ends with the object.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace support {

class SmtpServer {
 public:
  // What it says to a line of the client, without the line's end; empty: as a server that takes
  // everything. Called by the thread.
  using Answer = std::function<std::string(const std::string& line)>;

  explicit SmtpServer(Answer answer = {});
  ~SmtpServer();
  SmtpServer(const SmtpServer&) = delete;
  SmtpServer& operator=(const SmtpServer&) = delete;

  std::string url() const { return "smtp://127.0.0.1:" + std::to_string(port_); }
  // The lines so far: commands, and those of the mails.
  std::vector<std::string> heard() const;

 private:
  void accept_all();
  void serve(int socket);
  std::string answer_to(const std::string& line) const;

  Answer answer_;
  int listener_ = -1, port_ = 0;
  mutable std::mutex mutex_;
  std::vector<std::string> heard_;
  int socket_ = -1;  // of the present connection
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace support
