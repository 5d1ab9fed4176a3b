#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sandbox/turned_world.hpp"

namespace sandbox {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

const std::string kList = "/external/api/v3/customer";

using Enumerations = WritingStyle::Enumerations;
using Names = WritingStyle::Names;
using Change = void (*)(Options&);

Options changed(Change change) {
  Options options = still();
  change(options);
  return options;
}

TEST(Variants, OfErrorsNameTheRowAtFaultWhereTheyCan) {
  Json bad = batch_of(3);
  bad["Customers"][2]["Priority"] = "x";
  const auto refusal = [&](ErrorStyle style) {
    Options options = still();
    options.errors = style;
    TurnedWorld world(options);
    const Reply reply = world.add(bad);
    EXPECT_EQ(reply.status, 400);
    return reply;
  };
  const Json state = Json::parse(refusal(ErrorStyle::model_state).body);
  EXPECT_TRUE(state["ModelState"]["request.Customers[2].Priority"].is_array());
  const Reply problem = refusal(ErrorStyle::problem);
  EXPECT_EQ(header(problem.headers, "Content-Type"), "application/problem+json");
  EXPECT_TRUE(Json::parse(problem.body)["errors"]["Customers[2].Priority"].is_array());
  EXPECT_THAT(Json::parse(refusal(ErrorStyle::string).body).get<std::string>(),
              HasSubstr("Customers[2]"));
  EXPECT_THAT(refusal(ErrorStyle::text).body, HasSubstr("request.Customers[2].Priority: expected"));
  EXPECT_THAT(refusal(ErrorStyle::html).body, Not(HasSubstr("Customers")));
  EXPECT_THAT(refusal(ErrorStyle::xml).body,
              HasSubstr("<request.Customers_x005B_2_x005D_.Priority>"));
  const Reply none = refusal(ErrorStyle::none);
  EXPECT_EQ(none.body, "");
  EXPECT_EQ(header(none.headers, "Content-Type"), "");
}

TEST(Variants, OfBodiesWriteNullsListsAndNames) {
  const auto first = [](Change change) {
    TurnedWorld world(changed(change));
    world.add(batch_of(1));
    return world.get(kList).body;
  };
  EXPECT_THAT(first([](Options& o) { o.style.null_lists = true; }), HasSubstr("\"Answers\":null"));
  EXPECT_THAT(first([](Options& o) { o.style.omit_nulls = true; }), Not(HasSubstr("null")));
  EXPECT_THAT(first([](Options& o) { o.style.unset_is_year_one = true; }),
              HasSubstr("\"OpenDate\":\"0001-01-01T00:00:00\""));
  EXPECT_THAT(first([](Options& o) { o.style.names = Names::camel; }),
              HasSubstr("\"lastActivityDate\":"));
  EXPECT_THAT(first([](Options& o) { o.style.names = Names::upper; }),
              HasSubstr("\"LASTACTIVITYDATE\":"));
  EXPECT_THAT(first([](Options& o) { o.style.enumerations = Enumerations::name; }),
              HasSubstr("\"FormStatus\":\"None\""));
  EXPECT_THAT(first([](Options& o) { o.style.enumerations = Enumerations::number_text; }),
              HasSubstr("\"FormStatus\":\"0\""));
  EXPECT_THAT(first([](Options& o) { o.style.byte_order_mark = true; }),
              StartsWith("\xEF\xBB\xBF{"));
  EXPECT_THAT(first([](Options& o) { o.style.extra_members = true; }),
              HasSubstr("AddedInVersion4"));
  const Change dates = [](Options& o) { o.style.dates = {7, DateStyle::Zone::offset, 60min}; };
  EXPECT_THAT(first(dates), HasSubstr("\"TransactionDate\":\"2026-03-02T13:00:00.0000000+01:00\""));
}

TEST(Variants, OfAnAddAreTaken) {
  using Kind = Options::AddReply;
  const auto reply = [](Kind kind) {
    Options options = still();
    options.add_reply = kind;
    TurnedWorld world(options);
    return world.add(batch_of(2));
  };
  EXPECT_EQ(reply(Kind::empty).body, "");
  EXPECT_EQ(Json::parse(reply(Kind::string).body), "2 customers were added");
  EXPECT_EQ(Json::parse(reply(Kind::json).body)["BatchId"], 501);
  EXPECT_EQ(reply(Kind::accepted).status, 202);
}

TEST(Variants, RefuseALargeBody) {
  Options options = still();
  options.largest_body = 1000;
  TurnedWorld world(options);
  EXPECT_EQ(world.add(batch_of(1)).status, 200);
  EXPECT_EQ(world.add(batch_of(100)).status, 413);
  EXPECT_THAT(world.service.customers(), SizeIs(1));
}

TEST(Variants, TellWhatALimitLeaves) {
  Options options = still();
  options.rate_headers = Options::RateHeaders::ratelimit;
  options.limits = {*read_limit("minute:2")};
  TurnedWorld world(options);
  world.now += 20s;
  const Reply reply = world.get(kList);
  EXPECT_EQ(header(reply.headers, "RateLimit-Limit"), "2");
  EXPECT_EQ(header(reply.headers, "RateLimit-Remaining"), "1");
  EXPECT_EQ(header(reply.headers, "RateLimit-Reset"), "40");
  options.rate_headers = Options::RateHeaders::x_ratelimit;
  TurnedWorld absolute(options);
  EXPECT_EQ(header(absolute.get(kList).headers, "X-RateLimit-Reset"), "1772452860");
}

}  // namespace
}  // namespace sandbox
