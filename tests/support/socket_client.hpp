// A client of bytes: one TCP connection to 127.0.0.1, so that a test sees what really arrives.
// Reads give up after ten seconds. Owned by its test.
#pragma once

#include <string>
#include <string_view>

namespace support {

class SocketClient {
 public:
  SocketClient();
  explicit SocketClient(int port) : SocketClient() { connect_to(port); }
  ~SocketClient();
  SocketClient(const SocketClient&) = delete;
  SocketClient& operator=(const SocketClient&) = delete;

  // Throws std::runtime_error if it cannot.
  void connect_to(int port);
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

std::string get_request(std::string_view target);

}  // namespace support
