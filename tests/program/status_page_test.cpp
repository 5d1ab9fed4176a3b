// The status page of a real daemon, over a real socket.
#include <gtest/gtest.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/private_words.hpp"
#include "tests/program/sandbox_program.hpp"

namespace program {
namespace {

// The whole answer, "HTTP/1.1 200 OK…", fetched with curl as an operator would.
std::string fetched(int port, const std::string& path, const std::string& method = "GET") {
  return support::run({{"curl", "-s", "-i", "-X", method, "--max-time", "20",
                        "http://127.0.0.1:" + std::to_string(port) + path},
                       {}})
      .out;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class StatusPage : public testing::Test {
 protected:
  StatusPage() { crm_.insert(orders(3)); }

  Crm crm_{Server::sqlite};
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
  int port_ = support::free_port();
  std::string config_ = folder_.write(
      "bridge.toml", configuration(crm_.connection(), sandbox_.url()) +
                         "\n[status]\nlisten = \"127.0.0.1:" + std::to_string(port_) + "\"\n");
};

TEST_F(StatusPage, ShowsAPersonAMonitorAndAScraperHowThingsStand) {
  ASSERT_EQ(bridge({"sync", "push", "-c", config_}).status, 0);
  ASSERT_EQ(bridge({"verify", "-c", config_}).status, 0);
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("started with"));
  EXPECT_TRUE(has(fetched(port_, "/health"), "200 OK"));
  std::string page;  // until the first steps are over, and their jobs wait
  EXPECT_TRUE(daemon.until([&] {
    page = fetched(port_, "/?from=a-bookmark");
    return has(page, "data-name=\"next step\">in ");
  }));
  EXPECT_TRUE(has(page, "text/html"));
  EXPECT_TRUE(has(page, ">sent</td><td data-name=\"rows\">3</td>")) << page;
  EXPECT_TRUE(has(page, "<b>Well.</b>")) << page;
  EXPECT_TRUE(has(page, "data-name=\"next step\">in ")) << page;
  std::string version = bridge({"--version"}).out;  // "surveybridge 1.2.3\n"
  version.pop_back();
  EXPECT_TRUE(has(page, "<footer>" + version)) << page;
  EXPECT_FALSE(has(page, "<script")) << page;
  EXPECT_FALSE(has(page, kDomain)) << "an address";
  const auto metrics = fetched(port_, "/metrics");
  EXPECT_TRUE(has(metrics, "surveybridge_transactions{push=\"orders\",state=\"sent\"} 3"))
      << metrics;
  EXPECT_TRUE(has(metrics, "surveybridge_verify_differences{push=\"orders\"} 0\n")) << metrics;
  EXPECT_TRUE(has(fetched(port_, "/secret"), "404 Not Found"));
  EXPECT_TRUE(has(fetched(port_, "/", "POST"), "405 Method Not Allowed"));
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(StatusPage, APortThatIsTakenMayBeFreeLater) {
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("started with"));
  const auto second = bridge({"run", "-c", config_});
  EXPECT_EQ(second.status, 69);
  EXPECT_TRUE(has(second.err, "cannot listen on 127.0.0.1")) << second.err;
  EXPECT_EQ(daemon.stop(), 0);
}

}  // namespace
}  // namespace program
