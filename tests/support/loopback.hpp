// Sockets of 127.0.0.1 for the servers and clients of the tests.
#pragma once

#include <cstddef>

#include <netinet/in.h>

namespace support {

sockaddr_in loopback(int port);

struct Listener {
  int socket = -1;
  int port = 0;
};
// Listens on a free port. Throws std::runtime_error if it cannot.
Listener listen_on_loopback();

// All bytes; false: the peer has closed the connection.
bool send_all(int socket, const char* bytes, std::size_t size);

// The close of this socket sends a RST: a lingering time of 0.
void reset_when_closed(int socket);

}  // namespace support
