// libcurl repeats a POST by itself when a kept-alive connection ends before any answer. An add must
// never be repeated like this: a person would be mailed twice.
#include <algorithm>

#include <curl/curl.h>
#include <gtest/gtest.h>

#include "connectors/service/curl_transport.hpp"
#include "tests/support/raw_server.hpp"

namespace {

using namespace surveybridge::service;
using support::RawServer;
using Said = RawServer::Said;

// Counts POSTs. Keeps the connection alive after a GET; reads a POST to its end, then resets.
class ResettingServer {
 public:
  std::ptrdiff_t posts() const {
    const auto heard = server_.heard();
    return std::count_if(heard.begin(), heard.end(), is_post);
  }
  std::string url() const { return server_.url(); }
  RawServer::Heard last() const { return server_.heard().back(); }

 private:
  static bool is_post(const RawServer::Heard& heard) { return heard.head.starts_with("POST "); }
  RawServer server_{[](const RawServer::Heard& heard) {
    if (is_post(heard)) return Said{"", Said::Then::reset};
    return Said{support::ok("{}"), Said::Then::listen};
  }};
};

Request list_request(const std::string& url) {
  return {"GET", url, {}, {}, false, {}};
}

TEST(Replay, AnAddIsSentOnceThoughItsConnectionIsReset) {
  const ResettingServer server;
  CurlTransport transport({}, nullptr);
  ASSERT_TRUE(std::holds_alternative<Response>(transport.send(list_request(server.url()))));
  const Exchange exchange = transport.send({"POST", server.url(), {}, "[1]", true, {}});
  EXPECT_EQ(std::get<Failure>(exchange).kind, Failure::Kind::unknown);
  EXPECT_EQ(server.posts(), 1);
  EXPECT_EQ(server.last().connection, 1) << "an add has a connection of its own";
}

TEST(Replay, NobodyReusesTheConnectionOfAnAdd) {
  const RawServer server([](const auto&) { return Said{support::ok("{}"), Said::Then::listen}; });
  CurlTransport transport({}, nullptr);
  transport.send({"POST", server.url(), {}, "[1]", true, {}});
  transport.send(list_request(server.url()));
  transport.send({"POST", server.url(), {}, "[2]", true, {}});
  transport.send(list_request(server.url()));
  std::vector<int> connections;
  for (const auto& heard : server.heard())
    connections.push_back(heard.connection);
  EXPECT_EQ(connections, (std::vector<int>{0, 1, 2, 1})) << "GETs share one";
}

// The controls: the repetition that these tests guard against does happen.
TEST(Replay, WithoutOnceAPostGoesOutTwice) {
  const ResettingServer server;
  CurlTransport transport({}, nullptr);
  transport.send(list_request(server.url()));
  // A body that our read function has passed on cannot be rewound; an empty one can.
  transport.send({"POST", server.url(), {}, "", false, {}});
  EXPECT_EQ(server.posts(), 2);
}

TEST(Replay, TheLibraryLeftToItselfSendsAPostTwice) {
  const ResettingServer server;
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl{curl_easy_init(),
                                                                 &curl_easy_cleanup};
  const auto silent = [](char*, std::size_t size, std::size_t count, void*) {
    return size * count;
  };
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION,
                   static_cast<std::size_t (*)(char*, std::size_t, std::size_t, void*)>(silent));
  curl_easy_setopt(curl.get(), CURLOPT_URL, server.url().c_str());
  EXPECT_EQ(curl_easy_perform(curl.get()), CURLE_OK);
  curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDS, "[1]");
  EXPECT_NE(curl_easy_perform(curl.get()), CURLE_OK);
  EXPECT_EQ(server.posts(), 2);
}

}  // namespace
