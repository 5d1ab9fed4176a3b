// The daemon with PgBouncer in transaction mode between itself and PostgreSQL.
#include <chrono>
#include <csignal>

#include <gtest/gtest.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/support/pooler.hpp"

namespace program {
namespace {

constexpr int kPooledOrders = 300;

class PooledProgram : public testing::Test {
 protected:
  std::string pooled() {
    const std::string straight = crm_.connection();
    return configuration(pooler_.native(straight.substr(straight.rfind('=') + 1)), sandbox_.url());
  }
  std::string sent() { return crm_.cell("SELECT count(*) FROM survey_push WHERE state = 'sent'"); }
  std::string pulled() { return crm_.cell("SELECT count(*) FROM survey_customer"); }

  Crm crm_{Server::postgresql};
  support::Pooler pooler_{support::PostgresServer::shared()};
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
};

TEST_F(PooledProgram, SendsAndPullsEachOrderOnce) {
  crm_.insert(orders(kPooledOrders));
  const std::string config = folder_.write("bridge.toml", pooled());
  for (int turn = 0; turn < 2; ++turn) {
    const auto ran = bridge({"sync", "-c", config});
    ASSERT_EQ(ran.status, 0) << ran.out << ran.err;
  }
  EXPECT_EQ(sent(), std::to_string(kPooledOrders));
  EXPECT_EQ(pulled(), std::to_string(kPooledOrders));
}

TEST_F(PooledProgram, TwoDaemonsSendEachOrderOnce) {
  const std::string config = folder_.write("bridge.toml", pooled());
  ASSERT_EQ(bridge({"sync", "push", "-c", config}).status, 0);  // makes the tables
  Daemon one(config), two(config);
  ASSERT_TRUE(one.says("started with"));
  ASSERT_TRUE(two.says("started with"));
  for (int first = 1; first < kPooledOrders; first += 100) {
    crm_.insert(orders(100, first));
    const std::string all = std::to_string(first + 99);
    ASSERT_TRUE(one.until([&] { return sent() == all; })) << all;
  }
  EXPECT_TRUE(one.until([&] { return pulled() == std::to_string(kPooledOrders); }));
  EXPECT_EQ(one.stop(), 0);
  EXPECT_EQ(two.stop(), 0);
  ASSERT_EQ(bridge({"sync", "-c", config}).status, 0);
  EXPECT_EQ(pulled(), std::to_string(kPooledOrders)) << "more: an order was sent twice";
}

// The pool hides that its session has ended; on one machine the kernel knows that the process has.
TEST_F(PooledProgram, LooksUpWhatAKilledDaemonHadSent) {
  const std::string config = folder_.write("bridge.toml", pooled());
  ASSERT_EQ(bridge({"sync", "push", "-c", config}).status, 0);
  sandbox_.fault("after:hang:customer/add");  // the service has stored them and never answers
  crm_.insert(orders(3));
  Daemon first(config);
  ASSERT_TRUE(first.until([&] { return sandbox_.adds() == 1; }));
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_push WHERE state = 'claimed'"), "3");
  first.child().signal(SIGKILL);
  ASSERT_EQ(first.child().wait(std::chrono::seconds{10}), 128 + SIGKILL);

  Daemon second(config);
  EXPECT_TRUE(second.until([&] { return sent() == "3"; }));
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_push_event WHERE state = 'in_doubt'"), "3");
  EXPECT_EQ(sandbox_.customers().size(), 3u) << "an order was sent twice";
  EXPECT_EQ(second.stop(), 0);
}

TEST_F(PooledProgram, RefusesNotifyAndPolls) {
  const std::string config = folder_.write(
      "bridge.toml", replaced(pooled(), "brake = false\nevery     = \"1s\"",
                              "brake = false\nevery = \"1s\"\nnotify = \"orders_changed\""));
  ASSERT_EQ(bridge({"sync", "push", "-c", config}).status, 0);
  Daemon daemon(config);
  EXPECT_TRUE(daemon.says("a pool such as PgBouncer is between: leave notify out"));
  crm_.insert(orders(1));
  EXPECT_TRUE(daemon.until([&] { return sent() == "1"; })) << "polling goes on";
  EXPECT_EQ(daemon.stop(), 0);
}

}  // namespace
}  // namespace program
