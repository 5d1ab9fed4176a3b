#include "tests/support/socket_client.hpp"

#include <algorithm>
#include <cerrno>
#include <stdexcept>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/loopback.hpp"

namespace support {

SocketClient::SocketClient() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}

void SocketClient::connect_to(int port) {
  const sockaddr_in address = loopback(port);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("cannot connect");
}

SocketClient::~SocketClient() {
  ::close(socket_);
}

void SocketClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

bool SocketClient::readable(int milliseconds) const {
  pollfd one{socket_, POLLIN, 0};
  return ::poll(&one, 1, milliseconds) > 0;
}

bool SocketClient::fill() {
  constexpr int kPatience = 10000;
  char bytes[65536];
  if (!readable(kPatience)) throw std::runtime_error("nothing came for ten seconds");
  const auto count = ::recv(socket_, bytes, sizeof bytes, 0);
  if (count < 0) reset_ = errno == ECONNRESET;
  if (count <= 0) return false;
  buffer_.append(bytes, static_cast<std::size_t>(count));
  return true;
}

std::string SocketClient::take(std::size_t count) {
  std::string taken = buffer_.substr(0, count);
  buffer_.erase(0, count);
  return taken;
}

std::string SocketClient::read_until(std::string_view end) {
  while (buffer_.find(end) == buffer_.npos) {
    if (!fill()) return take(buffer_.size());
  }
  return take(buffer_.find(end) + end.size());
}

std::string SocketClient::read(std::size_t count) {
  while (buffer_.size() < count && fill()) {
  }
  return take(std::min(count, buffer_.size()));
}

std::string SocketClient::answer() {
  const std::string head = read_until("\r\n\r\n");
  constexpr std::string_view kLength = "Content-Length: ";
  const auto at = head.find(kLength);
  if (at == head.npos) return head + read_until("0\r\n\r\n");
  return head + read(std::stoul(head.substr(at + kLength.size())));
}

std::string SocketClient::rest() {
  while (fill()) {
  }
  return take(buffer_.size());
}

std::string get_request(std::string_view target) {
  return "GET " + std::string(target) + " HTTP/1.1\r\nHost: x\r\n\r\n";
}

}  // namespace support
