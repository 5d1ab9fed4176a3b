// A daemon that is told to stop while the database does not answer.
#include <chrono>

#include <gmock/gmock.h>

#include "daemon/runtime/exit_code.hpp"
#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/support/raw_server.hpp"

namespace program {
namespace {

using namespace std::chrono_literals;

class Stop : public testing::Test {
 protected:
  Stop() { crm_.insert(orders(3)); }

  // The answer to `ask` is `wanted` before a minute is over, and the daemon lives.
  bool comes(const std::string& ask, const std::string& wanted, Daemon& daemon) {
    return daemon.until([&] { return crm_.cell(ask) == wanted; });
  }

  Crm crm_{Server::postgresql};
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
  std::string config_ =
      folder_.write("bridge.toml", configuration(crm_.connection(), sandbox_.url()));
};

TEST_F(Stop, WaitsForNoDatabaseThatDoesNotAnswer) {
  ASSERT_EQ(bridge({"sync", "push", "-c", config_}).status, 0);
  const auto beside = crm_.open();
  beside->begin();
  beside->execute({"LOCK TABLE orders IN ACCESS EXCLUSIVE MODE", {}});
  Daemon daemon(config_);
  ASSERT_TRUE(
      comes("SELECT CASE WHEN count(*) > 0 THEN 1 ELSE 0 END FROM pg_locks WHERE NOT granted", "1",
            daemon));
  EXPECT_EQ(daemon.stop(), surveybridge::daemon::kUnreachable);
  EXPECT_TRUE(daemon.says("the database does not answer")) << daemon.child().err();
  beside->rollback();
  Daemon next(config_);
  crm_.insert(orders(1, 4));
  EXPECT_TRUE(comes("SELECT count(*) FROM survey_push WHERE state = 'sent'", "4", next));
  EXPECT_EQ(next.stop(), 0);
  EXPECT_EQ(sandbox_.customers().size(), 4u);
}

// A service that takes every request and says nothing.
class StopOfACommand : public testing::TestWithParam<int> {
 protected:
  StopOfACommand() { crm_.insert(orders(2)); }

  // The command's exit status when it gets the signal with its first request under way.
  std::optional<int> stopped(support::ChildProcess& child) {
    if (!silent_.wait_for(1)) return std::nullopt;
    child.signal(GetParam());
    return child.wait(15s);
  }

  Crm crm_{Server::sqlite};
  support::RawServer silent_{[](const auto&) {
    return support::RawServer::Said{"", support::RawServer::Said::Then::hang};
  }};
  support::TemporaryFolder folder_;
  std::string config_ =
      folder_.write("bridge.toml", configuration(crm_.connection(), silent_.url()));
};

TEST_P(StopOfACommand, EndsSyncAndNotOnlyItsJob) {
  support::ChildProcess child(bridge_program({"sync", "-c", config_}));
  EXPECT_EQ(stopped(child), 1);
  EXPECT_EQ(silent_.heard().size(), 1u) << "nothing else was begun";
  EXPECT_THAT(child.err(), testing::HasSubstr("sync: stopped before everything was done"));
  EXPECT_THAT(child.out(), testing::Not(testing::HasSubstr("gave up")));
}

TEST_P(StopOfACommand, EndsVerify) {
  ASSERT_EQ(bridge({"forget", "--unknown", "nobody@example.test", "-c", config_}).status,
            0);  // makes tables
  support::ChildProcess child(bridge_program({"verify", "-c", config_}));
  EXPECT_EQ(stopped(child), 1);
  EXPECT_THAT(child.err(), testing::HasSubstr("verify: stopped before everything was compared"));
}

INSTANTIATE_TEST_SUITE_P(Signals, StopOfACommand, testing::Values(SIGINT, SIGTERM));

}  // namespace
}  // namespace program
