// The status page's server when the process has no descriptor left.
#include "daemon/status/server.hpp"

#include <ctime>
#include <optional>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using namespace surveybridge::daemon;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// No new descriptor while it lives.
class NoDescriptors {
 public:
  NoDescriptors() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const int next = dup(0);
    close(next);
    rlimit none = before_;
    none.rlim_cur = static_cast<rlim_t>(next);
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

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
  void ask() {
    const std::string request = "GET / HTTP/1.1\r\nHost: here\r\n\r\n";
    EXPECT_GT(send(socket_, request.data(), request.size(), MSG_NOSIGNAL), 0);
  }
  bool hears_within(int milliseconds) {
    pollfd one{socket_, POLLIN, 0};
    return poll(&one, 1, milliseconds) > 0;
  }

 private:
  int socket_ = socket(AF_INET, SOCK_STREAM, 0);
};

TEST(StatusServer, WaitsWithoutADescriptorAndAnswersOnceThereIsOne) {
  StatusServer server({"127.0.0.1", 0}, [](const StatusRequest&) {
    return StatusReply{200, "text/plain", "here"};
  });
  Client client;
  std::optional<NoDescriptors> none(std::in_place);
  ASSERT_TRUE(client.connect_to(server.port()));
  client.ask();
  const double before = processor_seconds();
  EXPECT_FALSE(client.hears_within(300)) << "it was accepted";
  EXPECT_LT(processor_seconds() - before, 0.1) << "it tries again and again";
  none.reset();
  EXPECT_TRUE(client.hears_within(10'000));
}

}  // namespace
