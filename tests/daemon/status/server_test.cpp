// The status page's server when descriptors or connections run out.
#include "daemon/status/server.hpp"

#include <array>
#include <ctime>
#include <optional>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/support/socket_client.hpp"

namespace {

using namespace surveybridge::daemon;
using support::get_request;
using support::SocketClient;

std::unique_ptr<http::Server> serve_here() {
  return serve_status({"127.0.0.1", 0},
                      [](const http::Request&) { return http::text_reply(200, "here"); });
}

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

TEST(StatusServer, WaitsWithoutADescriptorAndAnswersOnceThereIsOne) {
  const auto server = serve_here();
  SocketClient client;
  std::optional<NoDescriptors> none(std::in_place);
  client.connect_to(server->port());
  client.send(get_request("/"));
  const double before = processor_seconds();
  EXPECT_FALSE(client.readable(300)) << "it was accepted";
  EXPECT_LT(processor_seconds() - before, 0.1) << "it tries again and again";
  none.reset();
  EXPECT_TRUE(client.readable(10'000));
}

// They would hold every connection until their time is over.
TEST(StatusServer, AnswersWhileManySilentClientsHoldConnections) {
  const auto server = serve_here();
  std::array<SocketClient, 100> silent;
  for (auto& client : silent)
    client.connect_to(server->port());
  for (int i = 0; i < 40; ++i) {
    SocketClient client(server->port());
    client.send(get_request("/"));
    ASSERT_NE(client.rest().find("here"), std::string::npos) << i;
  }
  silent.back().send(get_request("/"));
  EXPECT_NE(silent.back().rest().find("here"), std::string::npos) << "it gave way to none older";
}

TEST(StatusServer, SendsItsHeadersAndClosesAfterOneAnswer) {
  const auto server = serve_here();
  SocketClient client(server->port());
  client.send("HEAD / HTTP/1.1\r\nHost: here\r\n\r\n" + get_request("/"));
  EXPECT_EQ(client.rest(),
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n"
            "Content-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\n"
            "X-Content-Type-Options: nosniff\r\n"
            "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n\r\n");
}

TEST(StatusServer, TakesNoBodyAndNoLongHead) {
  const auto server = serve_here();
  SocketClient posts(server->port()), tells(server->port());
  posts.send("POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1\r\n\r\nx");
  EXPECT_EQ(posts.rest().substr(0, 12), "HTTP/1.1 413");
  tells.send("GET / HTTP/1.1\r\nHost: here\r\nX-Long: " + std::string(9000, 'x') + "\r\n\r\n");
  EXPECT_EQ(tells.rest().substr(0, 12), "HTTP/1.1 431");
}

}  // namespace
