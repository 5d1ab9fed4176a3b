#include "connectors/service/curl_transport.hpp"

#include <algorithm>
#include <cstdlib>
#include <thread>

#include <gmock/gmock.h>

#include "tests/support/child_process.hpp"
#include "tests/support/raw_server.hpp"

namespace {

using namespace surveybridge::service;
using namespace std::chrono_literals;
using support::ok;
using support::RawServer;
using Heard = RawServer::Heard;
using Said = RawServer::Said;
using Then = RawServer::Said::Then;

constexpr auto kPatience = 4s;  // "at once" takes less than this, a wait takes more

Request get(const std::string& url) {
  return {"GET", url + "/list", {}, {}, false, {}};
}

Request add(const RawServer& server, const std::string& body = "[1]") {
  return {"POST", server.url() + "/add", {}, body, true, {}};
}

Said fine(const Heard&) {
  return {ok("{}"), Then::listen};
}

Said nothing(const Heard&) {
  return {"", Then::hang};
}

Exchange send(const Request& request, const CurlLimits& limits = {}) {
  CurlTransport transport(limits, nullptr);
  return transport.send(request);
}

Failure failure(const Exchange& exchange) {
  if (const auto* failure = std::get_if<Failure>(&exchange)) return *failure;
  ADD_FAILURE() << "an answer came: " << std::get<Response>(exchange).status;
  return {};
}

TEST(CurlTransport, BringsStatusHeadersAndBody) {
  const RawServer server([](const Heard&) {
    return Said{"HTTP/1.1 429 Slow\r\nRETRY-After:  7 \r\nContent-Length: 2\r\n\r\nno",
                Then::close};
  });
  const Exchange exchange = send(get(server.url()));
  const auto& response = std::get<Response>(exchange);
  EXPECT_EQ(response.status, 429);
  EXPECT_EQ(response.header("retry-after"), "7");
  EXPECT_EQ(response.body, "no");
}

TEST(CurlTransport, SendsTheBodyWithItsLengthAndExpectsNothing) {
  const RawServer server(fine);
  Request request = add(server, std::string("a\0b", 3));
  request.headers.emplace_back("Content-Type", "application/json");
  EXPECT_EQ(std::get<Response>(send(request)).status, 200);
  const Heard heard = server.heard().at(0);
  EXPECT_EQ(heard.body, request.body);
  EXPECT_THAT(heard.head, testing::HasSubstr("Content-Type: application/json\r\n"));
  EXPECT_THAT(heard.head, testing::Not(testing::HasSubstr("Expect")));
}

TEST(CurlTransport, ReadsACompressedBody) {
  const std::string packed(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xab\x56\x72\x2e\x2d\x2e\xc9\xcf"
      "\x4d\x2d\x2a\x56\xb2\x8a\x8e\xad\x05\x00\xe2\x91\x3c\x48\x10\x00\x00\x00",
      36);
  const RawServer server([&](const Heard&) {
    return Said{ok(packed, "application/json", "Content-Encoding: gzip\r\n"), Then::listen};
  });
  EXPECT_EQ(std::get<Response>(send(get(server.url()))).body, R"({"Customers":[]})");
}

TEST(CurlTransport, RefusesABodyThatIsTooLarge) {
  const RawServer server([](const Heard&) {
    return Said{ok(std::string(1001, ' ')), Then::listen};
  });
  CurlLimits limits;
  limits.max_body = 1000;
  const Failure found = failure(send(get(server.url()), limits));
  EXPECT_EQ(found.kind, Failure::Kind::too_large);
  EXPECT_EQ(found.status, 200) << "whoever asked learns that it was processed";
  EXPECT_EQ(found.detail, "the answer is larger than 1000 bytes");
  limits.max_body = 1001;
  EXPECT_EQ(std::get<Response>(send(get(server.url()), limits)).body.size(), 1001u);
}

TEST(CurlTransport, CountsABodyAsItIsWhenUnpacked) {
  const std::string packed(  // 300 times 'a'
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x4b\x4c\x1c\x05\xc4\x02\x00\x09\x19\x97\x89\x2c"
      "\x01\x00\x00",
      25);
  const RawServer server([&](const Heard&) {
    return Said{ok(packed, "text/plain", "Content-Encoding: gzip\r\n"), Then::listen};
  });
  CurlLimits limits;
  limits.max_body = 299;
  EXPECT_EQ(failure(send(get(server.url()), limits)).kind, Failure::Kind::too_large);
  limits.max_body = 300;
  EXPECT_EQ(std::get<Response>(send(get(server.url()), limits)).body, std::string(300, 'a'));
}

// `size` blanks as gzip (RFC 1951, 3.2.6): one literal blank, then "repeat the last 258 bytes",
// which takes 13 bits.
std::string packed_blanks(std::size_t size) {
  std::string bytes("\x1f\x8b\x08\0\0\0\0\0\x02\x03", 10);
  unsigned held = 0, count = 0;
  const auto add = [&](unsigned bits, unsigned how_many) {  // the lowest bit first
    held |= bits << count;
    for (count += how_many; count >= 8; count -= 8, held >>= 8)
      bytes += static_cast<char>(held & 0xFF);
  };
  add(0b011, 3);       // the last block, with the fixed codes
  add(0b00001010, 8);  // a blank: 01010000 from its highest bit
  for (std::size_t unpacked = 1; unpacked < size; unpacked += 258)
    add(0b10100011, 13);  // length 258: 11000101 from its highest bit; distance 1: 00000
  add(0, 15);             // the end, and bits that fill the last byte
  return bytes;
}

TEST(CurlTransport, RefusesAGigabyteThatCameAsAFewMegabytes) {
  const std::string packed = packed_blanks(1024 * 1024 * 1024);
  ASSERT_LT(packed.size(), 7'000'000u);
  const RawServer server([&](const Heard&) {
    return Said{ok(packed, "application/json", "Content-Encoding: gzip\r\n"), Then::listen};
  });
  const Failure found = failure(send(get(server.url())));
  EXPECT_EQ(found.kind, Failure::Kind::too_large);
  EXPECT_EQ(found.detail, "the answer is larger than 67108864 bytes");
}

TEST(CurlTransport, CountsALongRunToTheByte) {
  const std::string packed = packed_blanks(1 + 258 * 4000) + std::string(8, '\0');
  const RawServer server([&](const Heard&) {
    return Said{ok(packed, "text/plain", "Content-Encoding: gzip\r\n"), Then::listen};
  });
  CurlLimits limits;
  limits.max_body = 258 * 4000;
  EXPECT_EQ(failure(send(get(server.url()), limits)).kind, Failure::Kind::too_large);
  limits.max_body += 1;  // then only the checksum is wrong
  EXPECT_EQ(failure(send(get(server.url()), limits)).kind, Failure::Kind::unknown);
}

TEST(CurlTransport, BoundsTheHeaders) {
  const RawServer server([](const Heard&) {
    const std::string line = "X-Long: " + std::string(8000, 'x') + "\r\n";
    std::string headers;
    for (int i = 0; i < 40; ++i)
      headers += line;
    return Said{ok("{}", "text/plain", headers), Then::listen};
  });
  EXPECT_EQ(failure(send(get(server.url()))).kind, Failure::Kind::unknown);
}

TEST(CurlTransport, FollowsNoRedirect) {
  const RawServer server([](const Heard&) {
    return Said{"HTTP/1.1 307 Go\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n",
                Then::listen};
  });
  EXPECT_EQ(std::get<Response>(send(add(server))).status, 307);
  EXPECT_EQ(server.heard().size(), 1u);
}

// A variable of the environment, as long as the object lives.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  ~Environment() { unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

// http is allowed to this machine only, so that nobody on the network reads a token.
TEST(CurlTransport, PlainHttpToThisMachineDoesNotLeaveIt) {
  const RawServer server(fine), proxy(fine);
  const Environment http("http_proxy", proxy.url()), all("ALL_PROXY", proxy.url());
  Request request = get(server.url());
  request.headers.emplace_back("Authorization", "Bearer secret");
  EXPECT_EQ(std::get<Response>(send(request)).status, 200);
  EXPECT_EQ(server.heard().size(), 1u);
  EXPECT_TRUE(proxy.heard().empty()) << proxy.heard().at(0).head;
}

TEST(CurlTransport, WhatGoesOutIsEncryptedThroughTheProxyThatIsSet) {
  const RawServer proxy([](const Heard&) {
    return Said{"HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n", Then::close};
  });
  const Environment https("https_proxy", proxy.url());
  Request request = get("https://surveys.example.com");
  request.headers.emplace_back("Authorization", "Bearer secret");
  EXPECT_EQ(failure(send(request)).kind, Failure::Kind::not_connected);
  ASSERT_EQ(proxy.heard().size(), 1u);
  EXPECT_THAT(proxy.heard().at(0).head, testing::StartsWith("CONNECT surveys.example.com:443 "));
  EXPECT_THAT(proxy.heard().at(0).head, testing::Not(testing::HasSubstr("secret")));
}

TEST(CurlTransport, NamesTheProxyThatRefusesWithoutItsPassword) {
  const RawServer proxy([](const Heard&) {
    return Said{"HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n", Then::close};
  });
  const std::string host = proxy.url().substr(std::string_view("http://").size());
  for (const char* login : {"", "http://", "http://someone:s3cret@", "someone:s3cret@"}) {
    const Environment https("https_proxy", login + host + "/");
    EXPECT_EQ(failure(send(get("https://surveys.example.com"))).detail,
              "cannot reach https://surveys.example.com: the proxy " + host +
                  " of https_proxy answers HTTP 407: it asks for a login");
  }
}

TEST(CurlTransport, ReportsThatNothingListens) {
  const std::string url = "http://127.0.0.1:" + std::to_string(support::free_port());
  const Failure found = failure(send(get(url + "/path?query=private")));
  EXPECT_EQ(found.kind, Failure::Kind::not_connected);
  EXPECT_THAT(found.detail, testing::StartsWith("cannot reach " + url + ": "));
  EXPECT_EQ(failure(send(get("http://no-such-host.invalid"))).kind, Failure::Kind::not_connected);
}

TEST(CurlTransport, ReportsThatTlsFailed) {
  const RawServer server(fine);  // waits for a request that is never complete
  CurlLimits limits;
  limits.connect_timeout = 200ms;
  const std::string url = "https" + server.url().substr(4);
  EXPECT_EQ(failure(send(get(url), limits)).kind, Failure::Kind::not_connected);
}

TEST(CurlTransport, ReportsARequestWithoutAnAnswerAsUnknown) {
  const RawServer server(nothing);
  CurlLimits limits;
  limits.timeout = 300ms;
  const Failure found = failure(send(add(server), limits));
  EXPECT_EQ(found.kind, Failure::Kind::unknown);
  EXPECT_EQ(found.detail, "no whole answer from " + server.url() + " in 0.3 s ([service] timeout)");
  EXPECT_EQ(server.heard().size(), 1u);
}

TEST(CurlTransport, RefusesAnAnswerThatWasCutOff) {
  const RawServer server([](const Heard&) {
    return Said{"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"Customers\":[", Then::close};
  });
  const Failure found = failure(send(add(server)));
  EXPECT_EQ(found.kind, Failure::Kind::unknown);
  EXPECT_EQ(found.status, 200);
}

TEST(CurlTransport, SendsNoBodyOnceItIsTooLate) {
  const RawServer server(fine);
  Request request = add(server);
  request.may_start = [] { return false; };
  EXPECT_EQ(failure(send(request)).kind, Failure::Kind::stopped);
  EXPECT_TRUE(std::holds_alternative<Response>(send(get(server.url()))));
  // By the version of libcurl its head had left before the question.
  for (const Heard& heard : server.heard()) {
    EXPECT_EQ(heard.whole, heard.head.starts_with("GET "));
    EXPECT_EQ(heard.body, "");
  }
}

TEST(CurlTransport, AsksOnceWhetherItMayStart) {
  const RawServer server(fine);
  int asked = 0;
  Request request = add(server, std::string(3'000'000, 'x'));
  request.may_start = [&] { return ++asked == 1; };
  EXPECT_EQ(std::get<Response>(send(request)).status, 200);
  EXPECT_EQ(server.heard().at(0).body.size(), 3'000'000u);
}

// The result of `request` if the process stops once the server has it.
Exchange stopped_meanwhile(const RawServer& server, const Request& request,
                           std::chrono::milliseconds grace) {
  std::atomic<bool> stop{false};
  CurlTransport transport({}, &stop, grace);
  std::thread stopper([&] {
    server.wait_for(1);
    stop = true;
  });
  Exchange exchange = transport.send(request);
  stopper.join();
  return exchange;
}

TEST(CurlTransport, EndsAReadAtOnceWhenTheProcessStops) {
  const RawServer server(nothing);
  const auto begun = std::chrono::steady_clock::now();
  const Failure found = failure(stopped_meanwhile(server, get(server.url()), 60s));
  EXPECT_EQ(found.detail, "the process stops before the answer came");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, kPatience);
}

TEST(CurlTransport, WaitsALittleForTheAnswerToAnAddWhenTheProcessStops) {
  const RawServer server(nothing);
  const auto begun = std::chrono::steady_clock::now();
  const Failure found = failure(stopped_meanwhile(server, add(server), 500ms));
  EXPECT_EQ(found.kind, Failure::Kind::unknown);
  EXPECT_GE(std::chrono::steady_clock::now() - begun, 500ms);
}

TEST(CurlTransport, BeginsNothingOnceTheProcessStops) {
  const RawServer server(fine);
  const std::atomic<bool> stop{true};
  CurlTransport transport({}, &stop);
  EXPECT_EQ(failure(transport.send(add(server))).kind, Failure::Kind::stopped);
  EXPECT_TRUE(server.heard().empty());
}

}  // namespace
