#include "http/server.hpp"

#include <memory>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/socket_client.hpp"

namespace http {
namespace {

using support::get_request;
using support::SocketClient;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using Delivery = Reply::Delivery;

// The target says how the answer is delivered; its body is the request's, or "hello!".
Reply answer_to(const Request& request) {
  Reply reply{200, {}, request.body.empty() ? "hello!" : request.body};
  if (request.target == "/cut") reply.delivery = Delivery::cut;
  if (request.target == "/reset") reply.delivery = Delivery::reset;
  if (request.target == "/hang") reply.delivery = Delivery::hang;
  if (request.target == "/late") reply.delay = std::chrono::milliseconds{20};
  if (request.target == "/throw") throw std::runtime_error("x");
  return reply;
}

struct Served : testing::Test {
  Server server{ServerOptions{}, answer_to};
  SocketClient client{server.port()};
};

TEST_F(Served, AnswersManyRequestsOnOneConnection) {
  for (const char* body : {"one", "two", "three"}) {
    client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " +
                std::to_string(std::string_view(body).size()) + "\r\n\r\n" + body);
    EXPECT_THAT(client.answer(), testing::AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), EndsWith(body)));
    client.send(get_request("/late"));
    EXPECT_THAT(client.answer(), EndsWith("\r\n\r\nhello!"));
  }
}

TEST_F(Served, AnswersRequestsThatComeInOnePiece) {
  client.send(get_request("/") + get_request("/"));
  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200"));
}

TEST_F(Served, ClosesWhenTheClientWishes) {
  client.send("GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(client.rest(), HasSubstr("Connection: close\r\n"));
}

TEST_F(Served, ServesConnectionsSideBySide) {
  client.send(get_request("/hang"));
  for (int i = 0; i < 8; ++i) {
    SocketClient other(server.port());
    other.send(get_request("/"));
    EXPECT_THAT(other.answer(), StartsWith("HTTP/1.1 200"));
  }
  EXPECT_FALSE(client.readable(0));
}

TEST_F(Served, CutsAnAnswerInTheMiddle) {
  client.send(get_request("/cut"));
  EXPECT_THAT(client.rest(), EndsWith("Content-Length: 6\r\n\r\nhel"));
  EXPECT_FALSE(client.was_reset());
}

TEST_F(Served, ResetsAConnectionThatWasKeptAlive) {
  client.send(get_request("/"));
  client.answer();
  client.send(get_request("/reset"));
  EXPECT_THAT(client.rest(), IsEmpty());
  EXPECT_TRUE(client.was_reset());
}

TEST_F(Served, RefusesWhatIsNotHttp) {
  client.send("\x16\x03\x01 hello\r\n\r\n");
  EXPECT_THAT(client.rest(), IsEmpty());
}

TEST_F(Served, RefusesABodyBeyondItsLimit) {
  client.send("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n");
  EXPECT_THAT(client.rest(), StartsWith("HTTP/1.1 413"));
}

TEST_F(Served, ReadsATargetOfManyKilobytes) {
  client.send(get_request("/" + std::string(200'000, 'x')));
  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200"));
}

TEST_F(Served, RefusesAHeadOfMegabytesWith431) {
  client.send("GET /x HTTP/1.1\r\nHost: x\r\nX-Long: " + std::string(2 << 20, 'x') + "\r\n\r\n");
  EXPECT_THAT(client.rest(), StartsWith("HTTP/1.1 431"));
}

// The library bounds a head, and no line between chunks or behind them.
TEST_F(Served, RefusesAnEndlessLineOfAChunkWith431) {
  for (const std::string begin : {"1;", "0\r\nX: "}) {
    SocketClient one(server.port());
    one.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + begin +
             std::string(2 << 20, 'a'));
    EXPECT_THAT(one.rest(), StartsWith("HTTP/1.1 431")) << begin;
  }
}

// The library that reads heads keeps no field of 64 KiB and throws.
TEST_F(Served, RefusesAFieldAbove64KilobytesWith431AndGoesOn) {
  for (const std::string& head :
       {"X-Long: " + std::string(65'534, 'x'), "X-Long: " + std::string(200'000, 'x'),
        std::string(70'000, 'X') + ": y"}) {
    SocketClient one(server.port());
    one.send("GET /x HTTP/1.1\r\nHost: x\r\n" + head + "\r\n\r\n");
    EXPECT_THAT(one.rest(), StartsWith("HTTP/1.1 431")) << head.size();
  }
  client.send("GET /x HTTP/1.1\r\nHost: x\r\nX-Long: " + std::string(65'000, 'x') + "\r\n\r\n");
  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200"));
}

TEST_F(Served, AnswersWhatAHandlerThrowsWith500) {
  for (int i = 0; i < 2; ++i) {
    SocketClient one(server.port());
    one.send(get_request("/throw"));
    EXPECT_THAT(one.rest(), StartsWith("HTTP/1.1 500"));
  }
}

TEST(Server, EndsWhileConnectionsAreOpen) {
  auto server = std::make_unique<Server>(ServerOptions{}, answer_to);
  SocketClient hanging(server->port()), idle(server->port());
  hanging.send(get_request("/hang"));
  server.reset();
  idle.rest();
}

TEST(Server, NeedsAFreePort) {
  const Server first(ServerOptions{}, answer_to);
  ServerOptions same;
  same.port = first.port();
  EXPECT_THROW(Server(same, answer_to), std::runtime_error);
}

TEST(Server, EndsARequestThatDoesNotComeToItsEndWith408) {
  ServerOptions options;
  options.patience = std::chrono::seconds{1};
  const Server server(options, answer_to);
  SocketClient begun(server.port()), silent(server.port());
  begun.send("GET / HTTP/1.1\r\nHost:");
  EXPECT_THAT(begun.rest(), StartsWith("HTTP/1.1 408"));
  EXPECT_THAT(silent.rest(), IsEmpty());
}

TEST(Server, LetsAConnectionThatWasAnsweredGiveWay) {
  ServerOptions options;
  options.connections = 1;
  const Server server(options, answer_to);
  SocketClient first(server.port());
  first.send(get_request("/"));
  EXPECT_THAT(first.answer(), StartsWith("HTTP/1.1 200"));
  SocketClient second(server.port());
  second.send(get_request("/"));
  EXPECT_THAT(second.answer(), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(first.rest(), IsEmpty());
}

// Its client reads nothing: no buffer of the system holds so much.
TEST(Server, LetsAConnectionThatTakesItsAnswerGiveWay) {
  ServerOptions options;
  options.connections = 1;
  const Server server(options, [](const Request& request) {
    return Reply{200, {}, request.target == "/large" ? std::string(16u << 20, 'x') : "hello!"};
  });
  SocketClient slow(server.port());
  slow.send(get_request("/large"));
  ASSERT_TRUE(slow.readable(60'000));
  SocketClient other(server.port());
  other.send(get_request("/"));
  EXPECT_THAT(other.answer(), StartsWith("HTTP/1.1 200"));
}

// Serves one reply and returns the bytes that arrive.
std::string arrives(const Reply& reply, const std::string& request) {
  const Server server(ServerOptions{}, [&](const Request&) { return reply; });
  SocketClient client(server.port());
  client.send(request);
  return client.answer();
}

TEST(Server, CompressesForThoseWhoAcceptIt) {
  Reply reply;
  reply.body = std::string(100000, 'x');
  reply.gzip = true;
  EXPECT_THAT(arrives(reply, get_request("/")), EndsWith(reply.body));
  const std::string packed =
      arrives(reply, "GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: deflate, gzip\r\n\r\n");
  EXPECT_THAT(packed, HasSubstr("Content-Encoding: gzip\r\n"));
  EXPECT_THAT(packed, HasSubstr("\r\n\r\n\x1f\x8b\x08"));
  EXPECT_LT(packed.size(), 2000U);
}

}  // namespace
}  // namespace http
