// A daemon is stopped (SIGSTOP) in the middle of a POST and continues after another has taken over:
// it overwrites nothing of the other's results.
#include <chrono>

#include <gtest/gtest.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"

namespace program {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// A lease lasts two time-outs and ten seconds.
std::string impatient(std::string text) {
  return replaced(std::move(text), "timeout   = \"20s\"", "timeout   = \"1s\"");
}

class Paused : public testing::Test {
 protected:
  Paused() { crm_.insert(orders(3)); }

  // False if it took more than a minute.
  bool until_rows(const std::string& state, int count, Daemon& watched) {
    const std::string ask = "SELECT CASE WHEN to_regclass('survey_push') IS NULL THEN 0 ELSE 1 END";
    for (const auto end = Clock::now() + 60s; Clock::now() < end;) {
      const bool made = crm_.cell(ask) == "1";
      if (made && crm_.cell("SELECT count(*) FROM survey_push WHERE state = '" + state + "'") ==
                      std::to_string(count)) {
        return true;
      }
      if (watched.child().wait(20ms)) return false;
    }
    return false;
  }

  // How often it was claimed, and the states after that.
  std::string story(int key) {
    const std::string is = " WHERE key = '" + std::to_string(key) + "'";
    std::string all = crm_.cell("SELECT attempts FROM survey_push" + is) + " ";
    for (const auto& row : crm_.rows("SELECT state FROM survey_push_event" + is + " ORDER BY id"))
      all += row[0] + " ";
    return all;
  }

  Crm crm_{Server::postgresql};
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
  std::string config_ =
      folder_.write("bridge.toml", impatient(configuration(crm_.connection(), sandbox_.url())));
};

TEST_F(Paused, ComesBackAndWritesNothing) {
  sandbox_.fault("after:hang:customer/add");  // the service has stored them and never answers
  Daemon first(config_);
  ASSERT_TRUE(until_rows("claimed", 3, first));
  for (const auto end = Clock::now() + 30s; sandbox_.adds() == 0 && Clock::now() < end;) {
    ASSERT_EQ(first.child().wait(5ms), std::nullopt);
  }
  first.child().signal(SIGSTOP);

  Daemon second(config_);
  crm_.insert(orders(3, 4));
  ASSERT_TRUE(until_rows("sent", 6, second)) << "the first one's claims are still its own";
  EXPECT_EQ(story(1), "1 in_doubt sent ");

  first.child().signal(SIGCONT);
  ASSERT_TRUE(first.says("no certain answer"));
  crm_.insert(orders(1, 7));
  ASSERT_TRUE(until_rows("sent", 7, second));
  EXPECT_EQ(sandbox_.customers().size(), 7u) << "somebody was invited twice";
  for (int key = 1; key <= 3; ++key)
    EXPECT_EQ(story(key), "1 in_doubt sent ") << key;
  EXPECT_EQ(first.stop(), 0);
  EXPECT_EQ(second.stop(), 0);
}

}  // namespace
}  // namespace program
