#include "sandbox/http/server.hpp"

#include <future>
#include <memory>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sandbox/socket_client.hpp"
#include "tests/sandbox/turned_world.hpp"

namespace sandbox {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

constexpr const char* kList = "/external/api/v3/customer";

struct Served : testing::Test {
  TurnedWorld world{still()};
  Server server{[this](const Request& request) { return world.service.handle(request); }, 0};
};

TEST_F(Served, AnswersManyRequestsOnOneConnection) {
  SocketClient client(server.port());
  for (int i = 1; i <= 3; ++i) {
    client.send(post_request(TurnedWorld::kAdd, batch_of(2).dump()));
    EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200 OK\r\n"));
    client.send(get_request(kList));
    const std::string answer = client.answer();
    const Json body = Json::parse(answer.substr(answer.find("\r\n\r\n")));
    EXPECT_THAT(body["Customers"], SizeIs(2 * i));
  }
}

TEST_F(Served, ClosesWhenTheClientWishes) {
  SocketClient client(server.port());
  client.send("GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const std::string all = client.rest();
  EXPECT_THAT(all, HasSubstr("HTTP/1.1 401 Unauthorized\r\n"));
  EXPECT_THAT(all, HasSubstr("Connection: close\r\n"));
}

TEST_F(Served, ServesConnectionsSideBySide) {
  Fault hang;
  hang.kind = Fault::Kind::hang;
  world.service.inject(hang);
  SocketClient waiting(server.port());
  waiting.send(get_request(kList));
  while (world.service.requests() == 0)
    std::this_thread::yield();
  for (int i = 0; i < 8; ++i) {
    SocketClient other(server.port());
    other.send(get_request(kList));
    EXPECT_THAT(other.answer(), StartsWith("HTTP/1.1 200"));
  }
  EXPECT_FALSE(waiting.readable(0));
}

TEST_F(Served, CutsAnAnswerInTheMiddle) {
  world.add(batch_of(5));
  Fault cut;
  cut.moment = Fault::Moment::after;
  cut.kind = Fault::Kind::cut;
  world.service.inject(cut);
  SocketClient client(server.port());
  client.send(get_request(kList));
  const std::string head = client.read_until("\r\n\r\n");
  const auto length = std::stoul(head.substr(head.find("Content-Length: ") + 16));
  EXPECT_EQ(client.rest().size(), length / 2);
  EXPECT_FALSE(client.was_reset());
}

TEST_F(Served, ResetsAConnectionThatWasKeptAlive) {
  SocketClient client(server.port());
  client.send(get_request(kList));
  client.answer();
  Fault reset;
  reset.moment = Fault::Moment::after;
  reset.kind = Fault::Kind::reset;
  world.service.inject(reset);
  client.send(post_request(TurnedWorld::kAdd, batch_of(1).dump()));
  EXPECT_THAT(client.rest(), IsEmpty());
  EXPECT_TRUE(client.was_reset());
  EXPECT_EQ(world.service.adds(), 1);
}

TEST_F(Served, RefusesWhatIsNotHttp) {
  SocketClient client(server.port());
  client.send("\x16\x03\x01 hello\r\n\r\n");
  EXPECT_THAT(client.rest(), IsEmpty());
  EXPECT_EQ(world.service.requests(), 0);
}

TEST_F(Served, RefusesABodyBeyondItsLimit) {
  SocketClient client(server.port());
  client.send("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n");
  EXPECT_THAT(client.rest(), StartsWith("HTTP/1.1 413"));
}

TEST_F(Served, RefusesATargetOfManyKilobytesWith414) {
  for (const std::size_t size : {9'000u, 40'000u, 200'000u}) {
    SocketClient client(server.port());
    client.send(get_request(std::string(kList) + "?EmailAddresses=" + std::string(size, 'x')));
    EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 414 URI Too Long\r\n")) << size;
  }
  SocketClient client(server.port());
  client.send(get_request(std::string(kList) + "?EmailAddresses=" + std::string(4'000, 'x')));
  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200")) << "eight kilobytes are taken";
}

TEST_F(Served, RefusesAHeadOfMegabytesWith431) {
  SocketClient client(server.port());
  client.send("GET /x HTTP/1.1\r\nHost: x\r\nX-Long: " + std::string(2 << 20, 'x') + "\r\n\r\n");
  EXPECT_THAT(client.rest(), StartsWith("HTTP/1.1 431"));
}

// The library that reads heads keeps no field of 64 KiB and throws.
TEST_F(Served, RefusesAFieldAbove64KilobytesWith431AndGoesOn) {
  for (const std::string& head :
       {"X-Long: " + std::string(65'534, 'x'), "X-Long: " + std::string(200'000, 'x'),
        std::string(70'000, 'X') + ": y"}) {
    SocketClient client(server.port());
    client.send("GET /x HTTP/1.1\r\nHost: x\r\n" + head + "\r\n\r\n");
    EXPECT_THAT(client.rest(), StartsWith("HTTP/1.1 431")) << head.size();
  }
  SocketClient client(server.port());
  client.send("GET /x HTTP/1.1\r\nHost: x\r\nX-Long: " + std::string(65'000, 'x') + "\r\n\r\n");
  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 401"));
}

TEST_F(Served, AnswersRequestsThatComeInOnePiece) {
  SocketClient client(server.port());
  client.send(get_request(kList) + get_request(kList));
  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200"));
}

TEST(ServedByAHandlerThatThrows, IsA500) {
  Server server([](const Request&) -> Reply { throw std::runtime_error("x"); }, 0);
  for (int i = 0; i < 2; ++i) {
    SocketClient client(server.port());
    client.send(get_request(kList));
    EXPECT_THAT(client.rest(), StartsWith("HTTP/1.1 500"));
  }
}

TEST_F(Served, StopsWhileConnectionsAreOpen) {
  Fault hang;
  hang.kind = Fault::Kind::hang;
  world.service.inject(hang);
  SocketClient hanging(server.port()), idle(server.port());
  hanging.send(get_request(kList));
  server.stop();
  server.stop();
}

TEST(ServerPort, MustBeFree) {
  const auto nothing = [](const Request&) { return Reply{}; };
  const Server first(nothing, 0);
  EXPECT_THROW(Server(nothing, first.port()), std::runtime_error);
}

}  // namespace
}  // namespace sandbox
