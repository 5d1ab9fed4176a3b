// Which requests the status page answers, by their headers.
#include "daemon/status/gate.hpp"

#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>

#include "mapping/values/base64.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using testing::HasSubstr;

// A GET; without a header where the text is empty.
http::Request request_for(const std::string& target, const std::string& host,
                          const std::string& authorization = "") {
  http::Request request{"GET", target, {{"Host", host}}};
  if (!authorization.empty()) request.headers.emplace_back("authorization", authorization);
  return request;
}

const std::string kPageToken = "a-token-of-some-length";

int code_for_host(const std::string& host) {
  const Gate gate({"bridge.example.com"}, "CRM.example.org");
  const auto refusal = gate.refusal(request_for("/", host));
  return refusal ? refusal->status : 200;
}

// The code and what the browser is asked for.
int code_for(const std::string& authorization, const std::string& target = "/") {
  const Gate gate({}, "crm", kPageToken);
  const auto refusal = gate.refusal(request_for(target, "localhost", authorization));
  if (!refusal) return 200;
  const auto challenges = std::ranges::count_if(
      refusal->headers, [](const auto& field) { return field.first == "WWW-Authenticate"; });
  EXPECT_EQ(challenges, 2);
  return refusal->status;
}

std::string basic(const std::string& pair) {
  return "Basic " + mapping::write_base64(pair);
}

TEST(Gate, AnswersToAddressesAndTheNamesOfThisMachineOnly) {
  for (const char* host :
       {"127.0.0.1", "127.0.0.1:9464", "192.0.2.7", "[::1]:9464", "[2001:db8::1]", "localhost",
        "LocalHost:80", "localhost.", "crm.example.org:9464", "CRM", "Bridge.Example.com:"})
    EXPECT_EQ(code_for_host(host), 200) << host;
  for (const char* host :
       {"evil.example", "127.0.0.1.evil.example", "localhost.evil.example:9464", "example.org",
        "a@127.0.0.1", "2130706433", "0x7f000001", "127.1", "org"})
    EXPECT_EQ(code_for_host(host), 421) << host;
  for (const char* host :
       {"", ":9464", "[::1", "[]:1", "::1", "localhost:http", "localhost:123456", "[::1]x", "."})
    EXPECT_EQ(code_for_host(host), 400) << host;
}

TEST(Gate, NamesTheSettingAndBoundsTheNameThatItRepeats) {
  const auto refusal = Gate({}, "crm").refusal(request_for("/", std::string(4000, 'x') + "\x1b"));
  ASSERT_TRUE(refusal);
  EXPECT_THAT(refusal->body, HasSubstr("[status] hosts"));
  EXPECT_LT(refusal->body.size(), 250u);
}

TEST(Gate, AsksForTheTokenExceptWhereMonitorsLook) {
  EXPECT_EQ(code_for("Bearer " + kPageToken), 200);
  EXPECT_EQ(code_for("bearer  " + kPageToken), 200);
  EXPECT_EQ(code_for(basic("somebody:" + kPageToken)), 200) << "a browser asked a person";
  const std::vector<std::string> wrong_ones = {"",
                                               kPageToken,
                                               "Bearer",
                                               "Bearer ",
                                               "Bearer " + kPageToken + "x",
                                               "Bearer " + kPageToken.substr(1),
                                               "Token " + kPageToken,
                                               basic(kPageToken),
                                               basic(kPageToken + ":"),
                                               basic("somebody:" + kPageToken + "x"),
                                               "Basic " + kPageToken,
                                               "Basic !"};
  for (const auto& wrong : wrong_ones)
    EXPECT_EQ(code_for(wrong), 401) << wrong;
  EXPECT_EQ(code_for("", "/metrics"), 401);
  EXPECT_EQ(code_for("", "/healthy"), 401);
  EXPECT_EQ(code_for("", "/health?from=a-monitor"), 200);
  EXPECT_EQ(code_for("", "/ready"), 200);
}

TEST(Gate, LooksAtTheHostAlsoWhereItAsksForNoToken) {
  const Gate gate({}, "crm", kPageToken);
  EXPECT_EQ(gate.refusal(request_for("/health", "evil.example"))->status, 421);
}

TEST(Gate, TakesOneHostAndReadsOnly) {
  const Gate gate({}, "crm");
  EXPECT_EQ(gate.refusal({"GET", "/"})->status, 400);
  EXPECT_EQ(gate.refusal({"GET", "/", {{"Host", "crm"}, {"host", "crm"}}})->status, 400);
  http::Request request = request_for("/", "crm");
  for (const char* method : {"GET", "HEAD", "POST", "get", "OPTIONS"}) {
    request.method = method;
    const auto refusal = gate.refusal(request);
    const bool reads = request.method == "GET" || request.method == "HEAD";
    EXPECT_EQ(refusal ? refusal->status : 200, reads ? 200 : 405) << method;
  }
}

TEST(Gate, ReadsItsTokenAndSaysWhyItCannotBeUsed) {
  const support::TemporaryFolder folder;
  const auto made = [&](const std::string& token) {
    config::StatusPage page;
    page.token = {config::Secret::From::file, folder.write("token", token)};
    std::filesystem::permissions(
        page.token.name, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    return Gate::make(page, "crm");
  };
  const auto good = made(kPageToken + "\n");
  ASSERT_TRUE(std::holds_alternative<Gate>(good));
  EXPECT_FALSE(std::get<Gate>(good).refusal(request_for("/", "crm", "Bearer " + kPageToken)));
  for (const auto& bad :
       {std::string("short"), kPageToken + " ", std::string(2000, 'x'), kPageToken + "\xC3\xA9"}) {
    const auto none = made(bad);
    ASSERT_TRUE(std::holds_alternative<std::string>(none)) << bad;
    EXPECT_THAT(std::get<std::string>(none), HasSubstr("16 to 1024"));
  }
  config::StatusPage gone;
  gone.token = {config::Secret::From::file, folder.path() + "/nowhere"};
  EXPECT_TRUE(std::holds_alternative<std::string>(Gate::make(gone, "crm")));
}

}  // namespace
