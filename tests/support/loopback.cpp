#include "tests/support/loopback.hpp"

#include <stdexcept>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

namespace support {

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

Listener listen_on_loopback() {
  Listener made;
  made.socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  auto address = loopback(0);
  socklen_t size = sizeof(address);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  const bool listens = bind(made.socket, generic, size) == 0 && listen(made.socket, 64) == 0 &&
                       getsockname(made.socket, generic, &size) == 0;
  if (!listens) {
    close(made.socket);
    throw std::runtime_error("cannot listen on 127.0.0.1");
  }
  made.port = ntohs(address.sin_port);
  return made;
}

bool send_all(int socket, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = send(socket, bytes, size, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

void reset_when_closed(int socket) {
  const linger now{1, 0};
  setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
}

}  // namespace support
