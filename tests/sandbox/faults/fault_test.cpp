#include "sandbox/model/fault.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sandbox/turned_world.hpp"

namespace sandbox {
namespace {

using testing::SizeIs;
using Delivery = Reply::Delivery;

Fault fault(const char* text) {
  const auto read = read_fault(text);
  EXPECT_TRUE(read) << text;
  return read.value_or(Fault{});
}

TEST(Faults, BeforeProcessingLeaveNothingBehind) {
  TurnedWorld world(still());
  world.service.inject(fault("before:503:customer/add"));
  EXPECT_EQ(world.add(batch_of(1)).status, 503);
  EXPECT_THAT(world.service.customers(), SizeIs(0));
  EXPECT_EQ(world.service.adds(), 0);
  EXPECT_EQ(world.service.requests(), 1);
}

TEST(Faults, AfterProcessingLoseOnlyTheAnswer) {
  TurnedWorld world(still());
  for (const char* kind : {"after:reset", "after:hang", "after:cut", "after:500"}) {
    world.service.inject(fault(kind));
    const Reply reply = world.add(batch_of(1));
    EXPECT_TRUE(reply.delivery != Delivery::whole || reply.status == 500) << kind;
  }
  EXPECT_THAT(world.service.customers(), SizeIs(4));
  EXPECT_EQ(world.service.adds(), 4);
}

TEST(Faults, WaitForTheRequestTheyFit) {
  TurnedWorld world(still());
  world.service.inject(fault("before:500:/customer/add:2"));
  world.service.inject(fault("before:502:rating"));
  EXPECT_EQ(world.get("/external/api/v3/customer").status, 200);
  EXPECT_EQ(world.get("/external/api/v3/rating").status, 502);
  EXPECT_EQ(world.add(batch_of(1)).status, 500);
  EXPECT_EQ(world.add(batch_of(1)).status, 500);
  EXPECT_EQ(world.add(batch_of(1)).status, 200);
}

TEST(Faults, StrikeInTheOrderTheyWereGiven) {
  TurnedWorld world(still());
  world.service.inject(fault("before:500"));
  world.service.inject(fault("before:503"));
  EXPECT_EQ(world.get("/external/api/v3/customer").status, 500);
  EXPECT_EQ(world.get("/external/api/v3/customer").status, 503);
  EXPECT_EQ(world.get("/external/api/v3/customer").status, 200);
}

TEST(Faults, MayBringABody) {
  TurnedWorld world(still());
  Fault busy = fault("before:503");
  busy.body = "<busy/>";
  world.service.inject(busy);
  world.service.inject(fault("before:html"));
  const Reply reply = world.get("/external/api/v3/customer");
  EXPECT_EQ(reply.body, "<busy/>");
  const Reply html = world.get("/external/api/v3/customer");
  EXPECT_EQ(html.status, 200);
  EXPECT_EQ(header(html.headers, "Content-Type"), "text/html");
}

TEST(Faults, AreReadOnlyWhenWellWritten) {
  EXPECT_EQ(fault("after:reset:customer/add:3").times, 3);
  for (const char* text :
       {"", "after", "during:reset", "after:explode", "after:99", "after:600", "after:reset::0",
        "after:reset:x:-1", "after:reset:x:2:3", "after:reset:x:two"}) {
    EXPECT_FALSE(read_fault(text)) << text;
  }
}

TEST(Controls, InjectFaultsFromOutside) {
  TurnedWorld world(still());
  const auto post = [&](const char* body) {
    return world.service.handle({"POST", "/sandbox/fault", {}, body}).status;
  };
  EXPECT_EQ(post(R"({"fault":"before:500"})"), 200);
  EXPECT_EQ(post(R"({"fault":"before:429:customer:2","body":"b","content_type":"a/b"})"), 200);
  EXPECT_EQ(world.get("/external/api/v3/customer").status, 500);
  const Reply busy = world.get("/external/api/v3/customer");
  EXPECT_EQ(busy.status, 429);
  EXPECT_EQ(busy.body, "b");
  EXPECT_EQ(header(busy.headers, "Content-Type"), "a/b");
  world.send("POST", "/sandbox/forget");
  EXPECT_EQ(world.get("/external/api/v3/customer").status, 200);
  for (const char* bad : {"", "{", "[]", R"({"fault":"x"})", R"({"fault":"before:500::0"})",
                          R"({"body":"b"})", R"({"fault":"before:500","times":2})"}) {
    EXPECT_EQ(post(bad), 400) << bad;
  }
}

TEST(Controls, TurnTheClock) {
  TurnedWorld world(still());
  EXPECT_EQ(world.send("POST", "/sandbox/clock", R"({"advance":"3d12h"})").status, 200);
  EXPECT_EQ(Json::parse(world.get("/sandbox/state").body)["now"], "2026-03-06T00:00:00Z");
  for (const char* bad : {"{}", R"({"advance":"3"})", R"({"advance":"-3d"})", R"({"advance":3})"}) {
    EXPECT_EQ(world.send("POST", "/sandbox/clock", bad).status, 400) << bad;
  }
}

TEST(Controls, ShowWhatIsHeldAndCountNothing) {
  TurnedWorld world(still());
  Json one = customer("a@example.test", "o-1");
  one["PhoneNumber"] = "020";
  one["SendDate"] = "2026-03-04T00:00:00Z";
  world.add(batch({one}));
  const Json held = Json::parse(world.service.handle({"GET", "/sandbox/customers", {}, ""}).body);
  ASSERT_THAT(held["customers"], SizeIs(1));
  EXPECT_EQ(held["customers"][0]["data"], Json::parse(R"({"OrderNumber":"o-1"})"));
  EXPECT_EQ(held["customers"][0]["phone_number"], "020");
  EXPECT_EQ(held["customers"][0]["send_date"], "2026-03-04T00:00:00Z");
  EXPECT_EQ(world.service.requests(), 1);
  EXPECT_EQ(world.get("/sandbox/nothing").status, 404);
  EXPECT_EQ(world.send("POST", "/sandbox/nothing").status, 404);
  EXPECT_EQ(world.send("PUT", "/sandbox/clock").status, 405);
}

}  // namespace
}  // namespace sandbox
