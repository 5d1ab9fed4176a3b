// A client of the status page's server: one request over a real socket.
#pragma once

#include <array>
#include <string>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace status_client {

class Client {
 public:
  ~Client() { close(socket_); }
  bool connect_to(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  void ask(const std::string& path = "/") {
    const std::string request = "GET " + path + " HTTP/1.1\r\nHost: here\r\n\r\n";
    EXPECT_GT(send(socket_, request.data(), request.size(), MSG_NOSIGNAL), 0);
  }
  bool hears_within(int milliseconds) {
    pollfd one{socket_, POLLIN, 0};
    return poll(&one, 1, milliseconds) > 0;
  }
  // All that comes until the server closes; gives up after ten seconds without a byte.
  std::string hears() {
    std::string heard;
    std::array<char, 512> part{};
    while (hears_within(10'000)) {
      const auto got = recv(socket_, part.data(), part.size(), 0);
      if (got <= 0) break;
      heard.append(part.data(), static_cast<std::size_t>(got));
    }
    return heard;
  }

 private:
  int socket_ = socket(AF_INET, SOCK_STREAM, 0);
};

}  // namespace status_client
