// `surveybridge now`: a running daemon goes on without waiting.
#include <chrono>

#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"

namespace program {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class Now : public testing::Test {
 protected:
  // So many transactions are sent before a minute is over.
  bool sent(int wanted) {
    const std::string sql = "SELECT count(*) FROM survey_push WHERE state = 'sent'";
    for (const auto end = std::chrono::steady_clock::now() + 60s;
         std::chrono::steady_clock::now() < end;)
      if (crm_.cell(sql) == std::to_string(wanted)) return true;
    return false;
  }

  Crm crm_{Server::sqlite};
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
  // A wait that no test sees the end of.
  std::string config_ =
      folder_.write("bridge.toml", replaced(configuration(crm_.connection(), sandbox_.url()),
                                            "brake = false\nevery     = \"1s\"",
                                            "brake = false\nevery = \"12h\""));
};

TEST_F(Now, EndsTheWaitOfAJob) {
  crm_.insert(orders(3));
  ASSERT_EQ(bridge({"sync", "push", "-c", config_}).status, 0);
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("started with"));
  crm_.insert(orders(1, 4));
  const auto now = bridge({"now", "orders", "-c", config_});
  EXPECT_EQ(now.status, 0) << now.err;
  EXPECT_THAT(now.out, HasSubstr("jobs go on now"));
  EXPECT_TRUE(sent(4));
  crm_.insert(orders(1, 5));
  EXPECT_EQ(bridge({"now", "-c", config_}).status, 0);
  EXPECT_TRUE(sent(5));
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(Now, ReadsAListBeforeItsEveryIsOver) {
  const std::string config =
      folder_.write("seldom.toml", replaced(configuration(crm_.connection(), sandbox_.url()),
                                            "every   = \"1s\"\nfrom    = 2025-01-01\nby",
                                            "every = \"12h\"\nfrom = 2025-01-01\nby"));
  ASSERT_EQ(bridge({"sync", "pull", "-c", config}).status, 0);
  crm_.insert(orders(1));
  Daemon daemon(config);
  ASSERT_TRUE(sent(1));
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_customer"), "0");
  EXPECT_EQ(bridge({"now", "pull.customers", "-c", config}).status, 0);
  EXPECT_TRUE(
      daemon.until([&] { return crm_.cell("SELECT count(*) FROM survey_customer") == "1"; }));
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(Now, IsWhatAReleaseDoes) {
  crm_.insert(orders(3));
  const std::string config = folder_.write(
      "braked.toml",
      replaced(replaced(configuration(crm_.connection(), sandbox_.url()), "brake = false\n", ""),
               "every     = \"1s\"\nquery", "every = \"12h\"\nquery"));
  Daemon daemon(config);
  ASSERT_TRUE(daemon.says("the brake holds"));
  EXPECT_EQ(bridge({"release", "orders", "--confirm", "3", "-c", config}).status, 0);
  ASSERT_TRUE(daemon.says("told 1 job to go on now"));
  EXPECT_TRUE(sent(3));
  EXPECT_TRUE(daemon.says("push.orders: 3 sent"));
  const auto status = bridge({"status", "-c", config});
  EXPECT_EQ(status.status, 0);
  EXPECT_THAT(status.out, HasSubstr("daemon  runs here\n"));
  EXPECT_EQ(daemon.stop(), 0);
  EXPECT_THAT(bridge({"status", "-c", config}).out, HasSubstr("daemon  none runs here with "));
}

// Rows that are pending again do not wait for the next poll.
TEST_F(Now, IsWhatADecisionOfAnOperatorDoes) {
  crm_.insert(orders(2));
  crm_.execute("UPDATE orders SET email = NULL WHERE id = 1");
  ASSERT_EQ(bridge({"sync", "push", "-c", config_}).status, 1);
  ASSERT_TRUE(sent(1));
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("started with"));
  crm_.execute("UPDATE orders SET email = 'ada@example.org' WHERE id = 1");
  const auto retried = bridge({"quarantine", "retry", "1", "-c", config_});
  EXPECT_EQ(retried.out, "1  retry\nthe daemon that runs here goes on with them now\n")
      << retried.err;
  EXPECT_TRUE(sent(2));
  EXPECT_EQ(daemon.stop(), 0);
}

// What the service asks for holds, whoever is in a hurry.
TEST_F(Now, SaysHowLongTheServiceHasAskedToWait) {
  SandboxProgram limited({"--speed", "0", "--limit", "minute:1"});
  const std::string config =
      folder_.write("limited.toml", configuration(crm_.connection(), limited.url()));
  Daemon daemon(config);
  const auto says_so = [&] {
    const auto now = bridge({"now", "-c", config});
    return now.out.find(
               "jobs go on now; the service has asked to wait, and no request leaves"
               " before 2") != std::string::npos;
  };
  EXPECT_TRUE(daemon.until(says_so));
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(Now, KnowsItsJobs) {
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("started with"));
  const auto now = bridge({"now", "oders", "-c", config_});
  EXPECT_EQ(now.status, 2);
  EXPECT_THAT(now.err, HasSubstr("there is no job \"oders\" (did you mean \"orders\"?)"));
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(Now, NeedsADaemon) {
  const auto now = bridge({"now", "-c", config_});
  EXPECT_EQ(now.status, 69);
  EXPECT_THAT(now.err, HasSubstr("no daemon runs here with"));
}

}  // namespace
}  // namespace program
