// A client of bytes: one TCP connection to 127.0.0.1, so that a test sees what really arrives.
// Reads give up after ten seconds. Owned by its test.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sandbox {

class SocketClient {
 public:
  explicit SocketClient(unsigned short port);
  ~SocketClient();
  SocketClient(const SocketClient&) = delete;
  SocketClient& operator=(const SocketClient&) = delete;

  void send(std::string_view bytes);
  // Bytes up to and including `end`; everything, if the connection ends without it.
  std::string read_until(std::string_view end);
  std::string read(std::size_t count);
  // One whole answer, by its Content-Length or its chunks.
  std::string answer();
  // Everything until the connection ends.
  std::string rest();
  bool was_reset() const { return reset_; }
  // Is there something to read, or the end, within this time?
  bool readable(int milliseconds) const;

 private:
  int socket_;
  bool reset_ = false;
  std::string buffer_;

  bool fill();
  std::string take(std::size_t count);
};

// A GET with the sandbox's token.
std::string get_request(std::string_view target);
std::string post_request(std::string_view target, std::string_view body);

}  // namespace sandbox
