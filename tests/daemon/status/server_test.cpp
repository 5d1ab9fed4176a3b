// The status page's server when descriptors or connections run out.
#include "daemon/status/server.hpp"

#include <array>
#include <ctime>
#include <optional>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/daemon/status/client.hpp"

namespace {

using namespace surveybridge::daemon;
using status_client::Client;

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

// They would hold every connection until their time is over.
TEST(StatusServer, AnswersWhileManySilentClientsHoldConnections) {
  StatusServer server({"127.0.0.1", 0}, [](const StatusRequest&) {
    return StatusReply{200, "text/plain", "here"};
  });
  std::array<Client, 100> silent;
  for (auto& client : silent)
    ASSERT_TRUE(client.connect_to(server.port()));
  for (int i = 0; i < 40; ++i) {
    Client client;
    ASSERT_TRUE(client.connect_to(server.port()));
    client.ask();
    ASSERT_NE(client.hears().find("here"), std::string::npos) << i;
  }
  silent.back().ask();
  EXPECT_NE(silent.back().hears().find("here"), std::string::npos) << "it gave way to none older";
}

}  // namespace
