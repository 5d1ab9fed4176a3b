#include "http/message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace http {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr Wanted kKeptAlive{true};

TEST(Message, WritesAWholeReply) {
  const Reply reply{200, {{"Content-Type", "text/plain"}}, "hello"};
  const std::string head =
      "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n"
      "Content-Type: text/plain\r\n\r\n";
  EXPECT_EQ(write_reply(reply, kKeptAlive), head + "hello");
  EXPECT_EQ(write_reply(reply, {true, false, false}), head) << "to HEAD";
}

TEST(Message, CutsHalfOfTheBody) {
  Reply reply{200, {}, "hello!"};
  reply.delivery = Reply::Delivery::cut;
  EXPECT_THAT(write_reply(reply, kKeptAlive), EndsWith("Content-Length: 6\r\n\r\nhel"));
  reply.chunked = true;
  EXPECT_THAT(write_reply(reply, kKeptAlive), Not(EndsWith("0\r\n\r\n")));
}

TEST(Message, WritesChunks) {
  Reply reply{200, {}, std::string(1000, 'x')};
  reply.chunked = true;
  const std::string all = write_reply(reply, {});
  EXPECT_THAT(all, HasSubstr("Transfer-Encoding: chunked\r\n"));
  EXPECT_THAT(all, Not(HasSubstr("Content-Length")));
  EXPECT_THAT(all, HasSubstr("\r\n\r\n3e5\r\nxxx"));
  EXPECT_THAT(all, EndsWith("\r\n3\r\nxxx\r\n0\r\n\r\n"));
}

}  // namespace
}  // namespace http
