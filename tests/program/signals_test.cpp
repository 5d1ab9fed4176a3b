// Signals: SIGHUP, by which the daemon reads its configuration anew between two steps; and what a
// daemon or a command does that is told to stop while the database or the service does not answer.
#include <chrono>

#include <gmock/gmock.h>

#include "daemon/runtime/exit_code.hpp"
#include "tests/program/bridge_and_crm.hpp"
#include "tests/program/prometheus.hpp"
#include "tests/support/raw_server.hpp"

namespace program {
namespace {

using namespace std::chrono_literals;

constexpr const char* kSent = "SELECT count(*) FROM survey_push WHERE state = 'sent'";
constexpr const char* kInForce = "the old configuration stays in force: the new one has ";

class Reload : public BridgeAndPostgresql {
 protected:
  Reload() : BridgeAndPostgresql({"--speed", "0", "--latency", "300ms"}) {}
  // The file, and the bridge's tables.
  void begin_with(const std::string& text) {
    write(text);
    make_tables();
  }
  // With a query that returns the orders up to this id.
  std::string up_to(int id) const {
    return replaced(usual_, "SELECT * FROM orders",
                    "SELECT * FROM orders WHERE id <= " + std::to_string(id));
  }
};

TEST_F(Reload, TakesTheNewQueryAndLosesNothingThatIsOnItsWay) {
  crm_.insert(orders(40));
  const auto in_small_batches = [](const std::string& text) {
    return replaced(text, "size                 = 100", "size = 2");
  };
  begin_with(in_small_batches(up_to(38)));
  Daemon daemon(config_);
  for (int times = 1; times <= 5; ++times) {
    ASSERT_TRUE(
        comes("SELECT CASE WHEN count(*) > 0 THEN 1 ELSE 0 END FROM survey_push WHERE"
              " state = 'claimed'",
              "1", daemon));
    daemon.child().signal(SIGHUP);
    ASSERT_TRUE(comes("SELECT count(*) FROM survey_push WHERE state = 'in_doubt'", "0", daemon));
  }
  EXPECT_TRUE(comes(kSent, "38", daemon));
  write(in_small_batches(usual_));
  daemon.child().signal(SIGHUP);
  ASSERT_TRUE(daemon.says("the configuration was read anew"));
  EXPECT_TRUE(comes(kSent, "40", daemon));
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_push_event WHERE state = 'in_doubt'"), "0");
  EXPECT_EQ(daemon.stop(), 0);
  EXPECT_EQ(sandbox_.customers().size(), 40u);
}

// Settings, secrets and field maps are looked at; page and metrics tell it, and a right file ends
// it.
TEST_F(Reload, LeavesTheOldFileInForceAndSaysEveryProblemOfAWrongOne) {
  const int port = support::free_port();
  const std::string good = with_page(usual_, port);
  const std::string successful = "surveybridge_config_last_reload_successful";
  const std::string time = "surveybridge_config_last_reload_success_timestamp_seconds";
  const auto metric = [&](const std::string& name) {
    return value_of(samples_in(metrics_at(port)), name);
  };
  const auto page_tells = [&] {
    return body_of(port, "/").find("The last reload refused the configuration file") !=
           std::string::npos;
  };
  crm_.insert(orders(3));
  begin_with(good);
  Daemon daemon(config_);
  ASSERT_TRUE(comes(kSent, "3", daemon));
  ASSERT_TRUE(daemon.until([&] { return metric(successful) == 1; }));
  EXPECT_FALSE(page_tells());
  const double began = metric(time);
  EXPECT_GT(began, 0);

  write(replaced(replaced(good, "kind  = ", "kynd  = "), "look_back = \"3650d\"\ncorr",
                 "look_back = 5\ncorr"));
  daemon.child().signal(SIGHUP);
  ASSERT_TRUE(daemon.says(std::string(kInForce) + "2 problems")) << daemon.child().err();
  EXPECT_TRUE(daemon.says("service.auth.kynd"));
  EXPECT_TRUE(daemon.says("push.orders.look_back"));
  EXPECT_TRUE(daemon.until([&] { return page_tells() && metric(successful) == 0; }));
  EXPECT_EQ(metric(time), began);
  crm_.insert(orders(1, 4));
  EXPECT_TRUE(comes(kSent, "4", daemon)) << "the daemon ended";

  write(replaced(replaced(good, "BRIDGE_TOKEN", "BRIDGE_NO_TOKEN"),
                 "Email           =", "Emial           ="));
  daemon.child().signal(SIGHUP);
  ASSERT_TRUE(daemon.says(std::string(kInForce) + "3 problems")) << daemon.child().err();
  EXPECT_TRUE(daemon.says("BRIDGE_NO_TOKEN"));
  EXPECT_TRUE(daemon.says("Emial"));

  write(good);
  daemon.child().signal(SIGHUP);
  ASSERT_TRUE(daemon.says("the configuration was read anew"));
  EXPECT_TRUE(daemon.until([&] { return !page_tells() && metric(successful) == 1; }));
  EXPECT_GE(metric(time), began);
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(Reload, EndsWhenItIsToldSoThoughAStepDoesNotEnd) {
  crm_.insert(orders(3));
  begin_with(usual_);
  Daemon daemon(config_);
  ASSERT_TRUE(comes(kSent, "3", daemon));
  const auto beside = crm_.open();
  beside->begin();
  beside->execute({"LOCK TABLE orders IN ACCESS EXCLUSIVE MODE", {}});
  ASSERT_TRUE(
      comes("SELECT CASE WHEN count(*) > 0 THEN 1 ELSE 0 END FROM pg_locks WHERE NOT granted", "1",
            daemon));
  daemon.child().signal(SIGHUP);
  EXPECT_EQ(daemon.stop(), surveybridge::daemon::kUnreachable);
  EXPECT_TRUE(daemon.says("the database does not answer")) << daemon.child().err();
  beside->rollback();
}

TEST_F(Reload, MovesTheStatusPage) {
  const int first = support::free_port(), second = support::free_port();
  begin_with(with_page(usual_, first));
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("started with"));
  EXPECT_EQ(code_of(first, "/health"), "200");
  write(with_page(usual_, second));
  daemon.child().signal(SIGHUP);
  ASSERT_TRUE(daemon.says("status page on port " + std::to_string(second)));
  EXPECT_EQ(code_of(second, "/health"), "200");
  EXPECT_EQ(code_of(first, "/health"), "000");
  write(usual_);
  daemon.child().signal(SIGHUP);
  EXPECT_EQ(daemon.stop(), 0);
}

class Stop : public BridgeAndPostgresql {
 protected:
  Stop() { crm_.insert(orders(3)); }
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
  EXPECT_THAT(child.err(),
              testing::HasSubstr("sync: stopped before everything was done; the next sync goes on "
                                 "from here\n"));
  EXPECT_THAT(child.out(), testing::Not(testing::HasSubstr("gave up")));
}

TEST_P(StopOfACommand, EndsVerify) {
  ASSERT_EQ(bridge({"forget", "--unknown", "nobody@example.test", "-c", config_}).status,
            0);  // makes tables
  support::ChildProcess child(bridge_program({"verify", "-c", config_}));
  EXPECT_EQ(stopped(child), 1);
  EXPECT_THAT(child.err(),
              testing::HasSubstr("verify: stopped before everything was compared; the next "
                                 "one begins anew\n"));
}

INSTANTIATE_TEST_SUITE_P(Signals, StopOfACommand, testing::Values(SIGINT, SIGTERM));

}  // namespace
}  // namespace program
