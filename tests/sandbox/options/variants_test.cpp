#include "sandbox/options/variants.hpp"

#include <set>

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

// Options with one variant of the table.
Options chosen(std::string_view flag, std::string_view value) {
  Options options = still();
  for (const Variant& variant : variants()) {
    for (const Choice& choice : variant.choices) {
      if (variant.flag == flag && choice.value == value) choice.set(options);
    }
  }
  for (const Switch& one : switches()) {
    if (one.flag == flag) one.set(options);
  }
  return options;
}

// The answers of a stand-in with these options to a list, a refused add and an accepted one.
std::string behaviour(const Options& options) {
  TurnedWorld world(options);
  std::string all;
  const auto note = [&all](const Reply& reply) {
    all += std::to_string(reply.status) + reply.body + (reply.gzip ? "gzip" : "") +
           (reply.chunked ? "chunked" : "");
    for (const auto& [name, value] : reply.headers)
      all += name + ":" + value + "\n";
  };
  Json part = batch_of(2);
  part["Customers"][1]["Priority"] = "x";
  Json whole = batch_of(3);
  whole["Customers"][2]["Data"] = {{{"CustomerDataColumnId", 1}, {"Value", "a long number"}}};
  note(world.add(whole));
  note(world.add(part));
  for (const char* accept : {"application/json", "application/xml"}) {
    note(world.service.handle(
        {"GET", kList, {{"Authorization", "Bearer sandbox-token"}, {"Accept", accept}}, ""}));
  }
  note(world.get(kList + "?TransactionDateFilter.To=2026-03-02T12:00:00Z"));
  const Reply ordered = world.service.handle(
      {"POST",
       TurnedWorld::kAdd,
       {{"Authorization", "Bearer sandbox-token"}},
       "<ImportCustomersRequest><Customers><ImportCustomer><Priority>1</Priority>"
       "<Email>a@b.test</Email></ImportCustomer></Customers></ImportCustomersRequest>"});
  note(ordered);
  for (int page = 0; page < 3; ++page)
    note(world.get(kList + "?Limit=" + std::to_string(page + 1)));
  return all;
}

TEST(Variants, EachChangeWhatIsAnsweredAndTheirDefaultDoesNot) {
  Options limited = still();
  limited.limits = {*read_limit("minute:7")};
  for (const Variant& variant : variants()) {
    std::set<std::string> seen;
    for (const Choice& choice : variant.choices) {
      Options options = limited;
      choice.set(options);
      if (choice.value == "endless") continue;  // the same as "same" at first: see paging_test
      EXPECT_TRUE(seen.insert(behaviour(options)).second) << variant.flag << ' ' << choice.value;
    }
    Options first = limited;
    variant.choices.front().set(first);
    EXPECT_EQ(behaviour(first), behaviour(limited)) << variant.flag;
  }
  for (const Switch& one : switches()) {
    if (one.flag == "--gaps") continue;  // shows on the second page only: see paging_test
    Options options = still();
    one.set(options);
    EXPECT_NE(behaviour(options), behaviour(still())) << one.flag;
  }
}

TEST(Variants, OfErrorsNameTheRowAtFaultWhereTheyCan) {
  Json bad = batch_of(3);
  bad["Customers"][2]["Priority"] = "x";
  const auto refusal = [&](const char* style) {
    TurnedWorld world(chosen("--errors", style));
    const Reply reply = world.add(bad);
    EXPECT_EQ(reply.status, 400);
    return reply;
  };
  const Json state = Json::parse(refusal("modelstate").body);
  EXPECT_TRUE(state["ModelState"]["request.Customers[2].Priority"].is_array());
  const Reply problem = refusal("problem");
  EXPECT_EQ(header(problem.headers, "Content-Type"), "application/problem+json");
  EXPECT_TRUE(Json::parse(problem.body)["errors"]["Customers[2].Priority"].is_array());
  EXPECT_THAT(Json::parse(refusal("string").body).get<std::string>(), HasSubstr("Customers[2]"));
  EXPECT_THAT(refusal("text").body, HasSubstr("request.Customers[2].Priority: expected"));
  EXPECT_THAT(refusal("html").body, Not(HasSubstr("Customers")));
  EXPECT_THAT(refusal("xml").body, HasSubstr("<request.Customers_x005B_2_x005D_.Priority>"));
  const Reply none = refusal("none");
  EXPECT_EQ(none.body, "");
  EXPECT_EQ(header(none.headers, "Content-Type"), "");
}

TEST(Variants, OfBodiesWriteNullsListsAndNames) {
  const auto first = [](const Options& options) {
    TurnedWorld world(options);
    world.add(batch_of(1));
    return world.get(kList).body;
  };
  EXPECT_THAT(first(chosen("--null-lists", "")), HasSubstr("\"Answers\":null"));
  EXPECT_THAT(first(chosen("--omit-nulls", "")), Not(HasSubstr("null")));
  EXPECT_THAT(first(chosen("--year-one", "")), HasSubstr("\"OpenDate\":\"0001-01-01T00:00:00\""));
  EXPECT_THAT(first(chosen("--names", "camel")), HasSubstr("\"lastActivityDate\":"));
  EXPECT_THAT(first(chosen("--names", "upper")), HasSubstr("\"LASTACTIVITYDATE\":"));
  EXPECT_THAT(first(chosen("--enumerations", "name")), HasSubstr("\"FormStatus\":\"None\""));
  EXPECT_THAT(first(chosen("--enumerations", "number-text")), HasSubstr("\"FormStatus\":\"0\""));
  EXPECT_THAT(first(chosen("--bom", "")), StartsWith("\xEF\xBB\xBF{"));
  EXPECT_THAT(first(chosen("--extra-members", "")), HasSubstr("AddedInVersion4"));
  EXPECT_THAT(first(chosen("--no-echo", "")), HasSubstr("\"Data\":[]"));
  Options dates = chosen("--date-zone", "offset");
  dates.style.dates.offset = 60min;
  dates.style.dates.digits = 7;
  EXPECT_THAT(first(dates), HasSubstr("\"TransactionDate\":\"2026-03-02T13:00:00.0000000+01:00\""));
}

TEST(Variants, OfAnAddAreTaken) {
  const auto reply = [](const char* value) {
    TurnedWorld world(chosen("--add-reply", value));
    return world.add(batch_of(2));
  };
  EXPECT_EQ(reply("empty").body, "");
  EXPECT_EQ(Json::parse(reply("string").body), "2 customers were added");
  EXPECT_EQ(Json::parse(reply("json").body)["BatchId"], 501);
  EXPECT_EQ(reply("accepted").status, 202);
}

TEST(Variants, MayStoreAPartOfWhatTheyRefuse) {
  TurnedWorld world(chosen("--partial-refusal", ""));
  Json part = batch_of(3);
  part["Customers"][1]["Priority"] = "x";
  EXPECT_EQ(world.add(part).status, 400);
  EXPECT_THAT(world.service.customers(), SizeIs(2));
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
  Options options = chosen("--rate-headers", "ratelimit");
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

TEST(Variants, OfTheDialectAreReadByName) {
  Options options;
  EXPECT_TRUE(set_dialect(options, "members=bracket"));
  EXPECT_TRUE(set_dialect(options, "lists=comma"));
  EXPECT_TRUE(set_dialect(options, "from=Since"));
  EXPECT_EQ(options.dialect.from, "Since");
  for (const char* bad :
       {"", "members", "members=", "members=dots", "lists=json", "form=x", "=x"}) {
    EXPECT_FALSE(set_dialect(options, bad)) << bad;
  }
}

TEST(Chaos, StrikesItsShareAndIsTheSameForASeed) {
  Options options = still();
  options.chaos = 0.3;
  const auto run = [&](std::uint64_t seed) {
    options.seed = seed;
    TurnedWorld world(options);
    std::string log;
    for (int i = 0; i < 500; ++i) {
      const Reply reply = world.get(kList);
      const bool well = reply.status == 200 && reply.delivery == Reply::Delivery::whole;
      log += well ? '.' : 'x';
    }
    return log;
  };
  const std::string log = run(1);
  EXPECT_EQ(log, run(1));
  EXPECT_NE(log, run(2));
  EXPECT_NEAR(static_cast<double>(std::count(log.begin(), log.end(), 'x')), 150, 40);
}

}  // namespace
}  // namespace sandbox
