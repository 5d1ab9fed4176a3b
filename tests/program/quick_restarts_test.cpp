// A daemon that is killed fifty times, half a second after each start, with answers that get lost:
// once the faults have stopped, its successor settles everything within thirty seconds. What dead
// instances left behind (claims, leases, shares of the pace) does not hold it up.
#include <iostream>
#include <map>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"

namespace program {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr int kKills = 50;
constexpr auto kSettledWithin = 30s;
constexpr const char* kFaults[] = {
    "after:reset:customer/add",  "after:504:customer/add",    "after:500:customer/add",
    "before:reset:customer/add", "before:503:customer/add",   "after:cut:customer/add",
    "before:reset:v3/customer",  "before:429:customer/add:1",
};

std::string hasty(std::string text) {
  text = replaced(std::move(text), "size                 = 100", "size                 = 5");
  return replaced(std::move(text), "timeout   = \"20s\"", "timeout   = \"1s\"");
}

class QuickRestarts : public testing::Test {
 protected:
  void live_and_be_killed() {
    sandbox_.fault(kFaults[std::uniform_int_distribution<std::size_t>(0, 7)(random_)]);
    Daemon daemon(config_);
    for (const auto end = Clock::now() + 500ms; Clock::now() < end;) {
      crm_.insert(orders(1, ++orders_));
      ASSERT_EQ(daemon.child().wait(40ms), std::nullopt) << "the daemon ended by itself";
    }
    daemon.child().signal(SIGKILL);
    ASSERT_EQ(daemon.child().wait(10s), 128 + SIGKILL);
  }

  int settled() {
    return std::stoi(crm_.cell("SELECT count(*) FROM survey_push WHERE state IN ('sent', 'held')"));
  }

  Crm crm_{Server::postgresql};
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
  std::string config_ =
      folder_.write("bridge.toml", hasty(configuration(crm_.connection(), sandbox_.url())));
  std::mt19937 random_{20261122};
  int orders_ = 0;
};

TEST_F(QuickRestarts, LeaveNothingThatHoldsTheNextOneUp) {
  for (int kill = 0; kill < kKills; ++kill)
    ASSERT_NO_FATAL_FAILURE(live_and_be_killed()) << "kill " << kill;
  sandbox_.post("/sandbox/forget", nlohmann::json::object());

  Daemon daemon(config_);
  const auto calm = Clock::now();
  while (settled() < orders_) {
    ASSERT_LT(Clock::now(), calm + kSettledWithin)
        << settled() << " of " << orders_ << ": " << daemon.child().err();
    ASSERT_EQ(daemon.child().wait(200ms), std::nullopt) << daemon.child().err();
  }
  const auto took = std::chrono::duration<double>(Clock::now() - calm).count();
  EXPECT_EQ(daemon.stop(), 0);

  std::map<std::string, int> times;
  for (const auto& customer : sandbox_.customers())
    ++times[customer.at("data").at("OrderNumber")];
  for (const auto& row : crm_.rows("SELECT key, state FROM survey_push"))
    EXPECT_EQ(times[row[0]], row[1] == "sent" ? 1 : 0) << row[0] << " " << row[1];
  std::cout << fmt::format("{} kills, {} orders, settled after {:.1f} s\n", kKills, orders_, took);
}

}  // namespace
}  // namespace program
