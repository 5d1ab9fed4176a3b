#include "sandbox/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sandbox/turned_world.hpp"

namespace sandbox {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string page(TurnedWorld& world, const std::string& target) {
  const Reply reply = world.service.handle({"GET", target, {}, ""});
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(header(reply.headers, "Content-Type"), "text/html; charset=utf-8");
  return reply.body;
}

TEST(Page, ShowsBatchesAndCustomersToAPerson) {
  TurnedWorld world;
  Json named = batch_of(150);
  named["BatchName"] = "orders";
  world.add(named);
  EXPECT_THAT(page(world, "/"), HasSubstr("<td>501</td><td>orders</td><td>email</td>"));
  EXPECT_THAT(page(world, "/"), HasSubstr("c99@example.test"));
  EXPECT_THAT(page(world, "/"), Not(HasSubstr("c100@example.test")));
  EXPECT_THAT(page(world, "/?after=1000100"), HasSubstr("c100@example.test"));
  EXPECT_EQ(world.service.requests(), 1) << "a look is no request";
}

TEST(Page, ShowsTheEventsOfACustomerSoFar) {
  TurnedWorld world;
  world.add(batch_of(1));
  EXPECT_THAT(page(world, "/?customer=1000001"), Not(HasSubstr("<td>closed</td>")));
  world.now += 100 * 24h;
  EXPECT_THAT(page(world, "/?customer=1000001"), HasSubstr("<td>closed</td>"));
}

TEST(Page, EscapesWhatCameFromOutside) {
  TurnedWorld world(still());
  Json nasty = batch({customer("<script>alert(1)</script>@example.test", "\"><img src=x>&'")});
  nasty["BatchName"] = "<b>bold</b>";
  world.add(nasty);
  for (const char* target : {"/", "/?customer=1000001"}) {
    const std::string body = page(world, target);
    EXPECT_THAT(body, Not(HasSubstr("<script")));
    EXPECT_THAT(body, Not(HasSubstr("<img")));
    EXPECT_THAT(body, Not(HasSubstr("<b>")));
    EXPECT_THAT(body, HasSubstr("&lt;b&gt;bold&lt;/b&gt;"));
  }
}

TEST(Page, ShowsTheOverviewForAnUnknownCustomer) {
  TurnedWorld world(still());
  for (const char* target : {"/?customer=5", "/?customer=x", "/?after=-1", "/?x"}) {
    EXPECT_THAT(page(world, target), HasSubstr("<h2>Batches</h2>"));
  }
}

}  // namespace
}  // namespace sandbox
