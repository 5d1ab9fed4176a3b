// A running daemon whose database stops and starts again: it goes on by itself, and each order is
// sent once.
#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/support/servers.hpp"

namespace program {
namespace {

class DatabaseBack : public testing::Test {
 protected:
  // The status code of /ready.
  std::string ready() const {
    return support::run({{"curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--max-time", "20",
                          "http://127.0.0.1:" + std::to_string(port_) + "/ready"},
                         {}})
        .out;
  }
  bool all_read(const char* customers) {
    return crm_.cell("SELECT count(*) FROM survey_customer") == customers;
  }

  support::PostgresServer server_;
  Crm crm_{server_};
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
  int port_ = support::free_port();
  std::string config_ = folder_.write(
      "bridge.toml", configuration(crm_.connection(), sandbox_.url()) +
                         "\n[status]\nlisten = \"127.0.0.1:" + std::to_string(port_) + "\"\n");
};

TEST_F(DatabaseBack, IsUsedAgainWithoutARestart) {
  crm_.insert(orders(20));
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("new or changed"));
  ASSERT_TRUE(daemon.until([&] { return all_read("20") && ready() == "200"; }));
  for (int round = 1; round <= 2; ++round) {
    server_.stop();
    ASSERT_TRUE(daemon.until([&] { return ready() == "503"; })) << round;
    server_.start();
    crm_.reconnect();
    crm_.insert(orders(10, 11 + 10 * round));
    const std::string all = std::to_string(20 + 10 * round);
    ASSERT_TRUE(daemon.until([&] { return all_read(all.c_str()) && ready() == "200"; })) << round;
    EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_push WHERE state = 'sent'"), all);
    EXPECT_EQ(sandbox_.customers().size(), std::stoul(all)) << "each once";
  }
  EXPECT_EQ(daemon.stop(), 0);
}

}  // namespace
}  // namespace program
