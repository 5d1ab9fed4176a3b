#include "sandbox/http/wire.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sandbox/http/server.hpp"
#include "tests/sandbox/socket_client.hpp"
#include "tests/sandbox/turned_world.hpp"

namespace sandbox {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Wire, WritesAWholeReply) {
  Reply reply;
  reply.headers = {{"Content-Type", "text/plain"}};
  reply.body = "hello";
  EXPECT_EQ(write_reply(reply, true),
            "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n"
            "Content-Type: text/plain\r\n\r\nhello");
}

TEST(Wire, CutsHalfOfTheBody) {
  Reply reply;
  reply.body = "hello!";
  reply.delivery = Reply::Delivery::cut;
  EXPECT_THAT(write_reply(reply, true), EndsWith("Content-Length: 6\r\n\r\nhel"));
  reply.chunked = true;
  EXPECT_THAT(write_reply(reply, true), Not(EndsWith("0\r\n\r\n")));
}

TEST(Wire, WritesChunks) {
  Reply reply;
  reply.body = std::string(1000, 'x');
  reply.chunked = true;
  const std::string all = write_reply(reply, false);
  EXPECT_THAT(all, HasSubstr("Transfer-Encoding: chunked\r\n"));
  EXPECT_THAT(all, Not(HasSubstr("Content-Length")));
  EXPECT_THAT(all, HasSubstr("\r\n\r\n3e5\r\nxxx"));
  EXPECT_THAT(all, EndsWith("\r\n3\r\nxxx\r\n0\r\n\r\n"));
}

// Serves one reply and returns the bytes that arrive.
std::string arrives(const Reply& reply, const std::string& request) {
  Server server([&](const Request&) { return reply; }, 0, 1);
  SocketClient client(server.port());
  client.send(request);
  return client.answer();
}

TEST(Wire, CompressesForThoseWhoAcceptIt) {
  Reply reply;
  reply.body = std::string(100000, 'x');
  reply.gzip = true;
  const std::string plain = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  EXPECT_THAT(arrives(reply, plain), EndsWith(reply.body));
  const std::string accepting =
      "GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: deflate, gzip\r\n\r\n";
  const std::string packed = arrives(reply, accepting);
  EXPECT_THAT(packed, HasSubstr("Content-Encoding: gzip\r\n"));
  EXPECT_THAT(packed, HasSubstr("\r\n\r\n\x1f\x8b\x08"));
  EXPECT_LT(packed.size(), 2000U);
}

TEST(Wire, KeepsAPlaceUntilTheAnswerIsGone) {
  Options options = still();
  options.limits = {*read_limit("concurrent:1")};
  TurnedWorld world(options);
  {
    const Reply held = world.get("/external/api/v3/customer");
    EXPECT_EQ(held.status, 200);
    EXPECT_EQ(world.get("/external/api/v3/customer").status, 429);
  }
  EXPECT_EQ(world.get("/external/api/v3/customer").status, 200);
}

TEST(Wire, OutlivesItsServiceWithAReply) {
  Reply late;
  {
    TurnedWorld world(still());
    late = world.get("/external/api/v3/customer");
  }
  EXPECT_EQ(late.status, 200);
}

TEST(Wire, ChangesLimitsWhileItRuns) {
  TurnedWorld world(still());
  EXPECT_EQ(world.send("POST", "/sandbox/limits", R"({"limits":["minute:1"]})").status, 200);
  EXPECT_EQ(world.get("/external/api/v3/customer").status, 200);
  EXPECT_EQ(world.get("/external/api/v3/customer").status, 429);
  EXPECT_EQ(world.send("POST", "/sandbox/limits", R"({"limits":["hour:1"]})").status, 400);
  EXPECT_EQ(world.send("POST", "/sandbox/limits", R"({"limits":[]})").status, 200);
  EXPECT_EQ(world.get("/external/api/v3/customer").status, 200);
}

}  // namespace
}  // namespace sandbox
