// The status page of a real daemon, over a real socket, and who may ask it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/bridge_and_crm.hpp"
#include "tests/program/private_words.hpp"

namespace program {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

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

class StatusPage : public BridgeAndSqlite {
 protected:
  StatusPage() {
    crm_.insert(orders(3));
    write(with_page(usual_, port_));
  }

  int port_ = support::free_port();
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
  std::string version = bridge({"--version"}).out;  // "surveybridge 1.2.3\nbuild: …"
  version.resize(version.find('\n'));
  EXPECT_TRUE(has(page, "<footer>" + version)) << page;
  EXPECT_FALSE(has(page, "<script")) << page;
  EXPECT_FALSE(has(page, kDomain)) << "an address";
  const auto metrics = fetched(port_, "/metrics");
  EXPECT_TRUE(has(metrics, "surveybridge_transactions{push=\"orders\",state=\"sent\"} 3"))
      << metrics;
  EXPECT_TRUE(has(metrics, "surveybridge_verify_differences{push=\"orders\"} 0\n")) << metrics;
  EXPECT_TRUE(has(fetched(port_, "/secret"), "404 Not Found"));
  EXPECT_TRUE(has(fetched(port_, "/", "POST"), "405 Method Not Allowed"));
  const auto second = bridge({"run", "-c", config_});
  EXPECT_EQ(second.status, 69) << "the port may be free later";
  EXPECT_TRUE(has(second.err, "cannot listen on 127.0.0.1")) << second.err;
  EXPECT_EQ(daemon.stop(), 0);
}

const std::string kOld = "the-token-of-last-year", kNew = "the-token-of-this-year";

class StatusAccess : public BridgeAndSqlite {
 protected:
  // The whole answer to a request with these headers, as curl has it.
  std::string answer(const std::string& path, const Arguments& headers = {}) {
    Arguments words{"curl", "-s", "-i", "--max-time", "20"};
    for (const auto& header : headers)
      words.insert(words.end(), {"-H", header});
    words.push_back("http://127.0.0.1:" + std::to_string(port_) + path);
    auto all = support::run({words, {}}).out;
    expect_no_private_words(all);
    return all;
  }

  int port_ = support::free_port();
};

TEST_F(StatusAccess, NeedsTheTokenAndTakesANewOneWithAReload) {
  const auto token = folder_.write("token", kOld + "\n");
  std::filesystem::permissions(token, std::filesystem::perms::owner_all);  // else it is refused
  write(with_page(usual_, port_, "token = { file = \"" + folder_.path() + "/token\" }\n"));
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("started with"));
  for (const char* path : {"/", "/metrics", "/quarantine", "/nowhere"}) {
    const auto refused = answer(path);
    EXPECT_THAT(refused, StartsWith("HTTP/1.1 401")) << path;
    EXPECT_THAT(refused, HasSubstr("WWW-Authenticate: Basic realm=")) << path;
    EXPECT_THAT(refused, HasSubstr("WWW-Authenticate: Bearer realm=")) << path;
    EXPECT_THAT(refused, Not(HasSubstr("push.orders"))) << path;
  }
  EXPECT_THAT(answer("/health"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(answer("/ready"), Not(StartsWith("HTTP/1.1 401")));
  const std::string old = "Authorization: Bearer " + kOld, next = "Authorization: Bearer " + kNew;
  EXPECT_THAT(answer("/", {old}), HasSubstr("push.orders"));
  EXPECT_THAT(answer("/", {next}), StartsWith("HTTP/1.1 401"));
  EXPECT_THAT(answer("/", {old, old}), StartsWith("HTTP/1.1 401")) << "a repeated header";

  folder_.write("token", kNew + "\n");
  daemon.child().signal(SIGHUP);
  ASSERT_TRUE(daemon.says("the configuration was read anew"));
  EXPECT_TRUE(daemon.until([&] { return answer("/", {next}).starts_with("HTTP/1.1 200"); }));
  EXPECT_THAT(answer("/", {old}), StartsWith("HTTP/1.1 401"));

  folder_.write("token", "short\n");
  daemon.child().signal(SIGHUP);
  ASSERT_TRUE(daemon.says("status.token: the token must have 16 to 1024"));
  EXPECT_THAT(answer("/", {next}), StartsWith("HTTP/1.1 200")) << "the old one stays in force";
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(StatusAccess, IsNotedByCheckWhereOtherMachinesReachThePageWithoutAToken) {
  const auto said = [&](const std::string& host, const std::string& token) {
    write(usual_ + "\n[status]\nlisten = \"" + host + ":9464\"\n" + token);
    const auto online = bridge({"check", "-c", config_});
    const auto offline = bridge({"check", "--offline", "-c", config_});
    EXPECT_EQ(online.status, offline.status);
    const bool noted = online.err.find("note: status.listen") != std::string::npos;
    EXPECT_EQ(noted, offline.err.find("note: status.listen") != std::string::npos);
    return online.err;
  };
  EXPECT_THAT(said("0.0.0.0", ""), HasSubstr("note: status.listen: other machines reach 0.0.0.0"));
  EXPECT_THAT(said("[::]", ""), HasSubstr("note: status.listen"));
  EXPECT_THAT(said("127.0.0.1", ""), Not(HasSubstr("status.listen")));
  EXPECT_THAT(said("[::1]", ""), Not(HasSubstr("status.listen")));
  EXPECT_THAT(said("0.0.0.0", "token = { env = \"BRIDGE_TOKEN\" }\n"), Not(HasSubstr("status.")));
  EXPECT_THAT(said("0.0.0.0", "token = { env = \"BRIDGE_NO_TOKEN\" }\n"),
              HasSubstr("status.token: "));
}

}  // namespace
}  // namespace program
