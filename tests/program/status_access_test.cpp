// Who may ask the status page of a real daemon, over a real socket.
#include <gmock/gmock.h>
#include <unistd.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/private_words.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/support/loopback.hpp"

namespace program {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string kOld = "the-token-of-last-year", kNew = "the-token-of-this-year";

class StatusAccess : public testing::Test {
 protected:
  // The file; `settings`: more lines of [status].
  void configure(const std::string& settings) {
    folder_.write("bridge.toml", configuration(crm_.connection(), sandbox_.url()) +
                                     "\n[status]\nlisten = \"127.0.0.1:" + std::to_string(port_) +
                                     "\"\n" + settings);
  }
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

  // The whole answer to these bytes.
  std::string answer_to_bytes(const std::string& request) {
    const auto address = support::loopback(port_);
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    std::string all;
    if (connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
        support::send_all(socket, request.data(), request.size())) {
      std::array<char, 4096> buffer;
      for (ssize_t got; (got = recv(socket, buffer.data(), buffer.size(), 0)) > 0;)
        all.append(buffer.data(), static_cast<std::size_t>(got));
    }
    close(socket);
    return all;
  }

  Crm crm_{Server::sqlite};
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
  int port_ = support::free_port();
  const std::string config_ = folder_.path() + "/bridge.toml";
};

TEST_F(StatusAccess, IsRefusedUnderTheNameOfAnotherHost) {
  configure("hosts = [\"bridge.example.com\"]\n");
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("started with"));
  char own[256] = "";
  ASSERT_EQ(gethostname(own, sizeof(own) - 1), 0);
  for (const std::string host :
       {"localhost", "127.0.0.1", "[::1]", "Bridge.Example.com:443", static_cast<const char*>(own)})
    EXPECT_THAT(answer("/health", {"Host: " + host}), StartsWith("HTTP/1.1 200")) << host;
  for (const char* path : {"/", "/health", "/ready", "/metrics", "/quarantine"}) {
    const auto refused = answer(path, {"Host: rebound.example"});
    EXPECT_THAT(refused, StartsWith("HTTP/1.1 421")) << path;
    EXPECT_THAT(refused, HasSubstr("[status] hosts")) << path;
  }
  EXPECT_THAT(answer("/health", {"Host:"}), StartsWith("HTTP/1.1 400")) << "none";
  EXPECT_THAT(answer("/health", {"Host;"}), StartsWith("HTTP/1.1 400")) << "an empty one";
  EXPECT_THAT(answer_to_bytes("GET /health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"),
              StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(answer_to_bytes("GET /health HTTP/1.0\r\n\r\n"), StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(
      answer_to_bytes("GET http://localhost/health HTTP/1.1\r\nHost: rebound.example\r\n\r\n"),
      StartsWith("HTTP/1.1 421"));
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(StatusAccess, NeedsTheTokenAndTakesANewOneWithAReload) {
  const auto token = folder_.write("token", kOld + "\n");
  std::filesystem::permissions(token, std::filesystem::perms::owner_all);  // else it is refused
  configure("token = { file = \"" + folder_.path() + "/token\" }\n");
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
    folder_.write("bridge.toml", configuration(crm_.connection(), sandbox_.url()) +
                                     "\n[status]\nlisten = \"" + host + ":9464\"\n" + token);
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
