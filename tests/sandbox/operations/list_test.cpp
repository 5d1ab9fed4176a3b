#include <algorithm>
#include <ctime>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sandbox/turned_world.hpp"

namespace sandbox {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t kFirst = 1000001;

std::vector<std::int64_t> from_to(std::int64_t first, std::int64_t count) {
  std::vector<std::int64_t> ids(static_cast<std::size_t>(count));
  std::iota(ids.begin(), ids.end(), first);
  return ids;
}

TEST(List, TurnsPagesToTheEndOnceEach) {
  TurnedWorld world(still());
  world.add(batch_of(200));
  world.add(batch_of(50));
  EXPECT_EQ(world.ids(""), from_to(kFirst, 250));
  EXPECT_EQ(world.ids("Limit=7"), from_to(kFirst, 250));
  EXPECT_THAT(world.ask(kList)["Customers"], SizeIs(100));
  EXPECT_TRUE(world.ask(kList + "?Cursor=")["NextCursor"].is_string());
}

TEST(List, RefusesATargetOfManyKilobytes) {
  TurnedWorld world(still());
  const auto status_of = [&](std::size_t size) {
    return world.get(kList + "?EmailAddresses=" + std::string(size, 'x')).status;
  };
  EXPECT_EQ(status_of(4'000), 200);
  EXPECT_EQ(status_of(9'000), 414);
}

TEST(List, EndsOnAFullPage) {
  TurnedWorld world(still());
  world.add(batch_of(100));
  const Json page = world.ask(kList + "?Limit=100");
  EXPECT_THAT(page["Customers"], SizeIs(100));
  EXPECT_TRUE(page["NextCursor"].is_null());
}

TEST(List, RefusesBadPaging) {
  TurnedWorld world(still());
  world.add(batch_of(3));
  for (const char* query :
       {"Limit=0", "Limit=101", "Limit=-1", "Limit=ten", "Limit=", "Limit=1&Limit=2"}) {
    EXPECT_THAT(places(world.get(kList + "?" + query)), ElementsAre("Limit")) << query;
  }
  for (const char* query : {"Cursor=x", "Cursor=AAAA", "Cursor=%3D%3D"}) {
    EXPECT_THAT(places(world.get(kList + "?" + query)), ElementsAre("Cursor")) << query;
  }
}

TEST(List, BindsACursorToItsListAndFilter) {
  TurnedWorld world(still());
  world.add(batch_of(3));
  std::string cursor = world.ask(kList + "?Limit=1&IsOptout=false")["NextCursor"];
  for (std::size_t at; (at = cursor.find('+')) != cursor.npos;)
    cursor.replace(at, 1, "%2B");
  EXPECT_EQ(world.get(kList + "?Limit=2&IsOptout=false&Cursor=" + cursor).status, 200);
  EXPECT_THAT(places(world.get(kList + "?Limit=1&Cursor=" + cursor)), ElementsAre("Cursor"));
  EXPECT_THAT(places(world.get(kList + "/getbouncers?IsOptout=false&Cursor=" + cursor)),
              testing::Contains("Cursor"));
}

TEST(List, RefusesWhatItDoesNotKnowWhenStrict) {
  TurnedWorld world(still());
  for (const char* name : {"Foo", "statuses", "TransactionDateFilter",
                           "TransactionDateFilter.Since", "TransactionDateFilter[From]",
                           "Statuses[0]", "DataFilters.Value", "DataFilters[0].Name", "Limit.To"}) {
    EXPECT_THAT(places(world.get(kList + "?" + name + "=1")), ElementsAre(name));
  }
}

TEST(List, IgnoresWhatItDoesNotKnowWhenLenient) {
  Options options = still();
  options.strict = false;
  TurnedWorld world(options);
  world.add(batch_of(3));
  EXPECT_THAT(world.ids("Foo=1&TransactionDateFilter%5BFrom%5D=2030-01-01"), SizeIs(3));
}

TEST(List, HidesTestRecordsUnlessAsked) {
  TurnedWorld world(still());
  Json test = batch_of(2);
  test["IsTest"] = true;
  world.add(test);
  world.add(batch_of(1));
  EXPECT_THAT(world.ids(""), ElementsAre(kFirst + 2));
  EXPECT_THAT(world.ids("IncludeTestRecords=false"), SizeIs(1));
  EXPECT_THAT(world.ids("IncludeTestRecords=true"), SizeIs(3));
  EXPECT_EQ(world.get(kList + "?IncludeTestRecords=yes").status, 400);
}

TEST(List, FiltersByIdsAddressesDataAndStatus) {
  TurnedWorld world(still());
  world.add(batch({customer("a+1@example.test", "o 1"), customer("b@example.test", "o&2"),
                   customer("bad address", "o1")}));
  EXPECT_THAT(world.ids("CustomerIds=1000003&CustomerIds=1000001&CustomerIds=5"),
              ElementsAre(kFirst, kFirst + 2));
  EXPECT_THAT(world.ids("EmailAddresses=A%2B1%40Example.test"), ElementsAre(kFirst));
  EXPECT_THAT(world.ids("EmailAddresses=a+1%40example.test"), IsEmpty()) << "a bare + is a space";
  EXPECT_THAT(world.ids("DataFilters[0].CustomerDataColumnId=1&DataFilters[0].Value=o%262"),
              ElementsAre(kFirst + 1));
  EXPECT_THAT(world.ids("DataFilters[0].CustomerDataColumnId=2&DataFilters[0].Value=o%262"),
              IsEmpty());
  EXPECT_THAT(world.ids("DataFilters[0].CustomerDataColumnId=1&DataFilters[0].Value=o1"
                        "&DataFilters[1].CustomerDataColumnId=1&DataFilters[1].Value=o%262"),
              IsEmpty());
  EXPECT_THAT(world.ids("Statuses=11"), ElementsAre(kFirst + 2));
  EXPECT_THAT(world.ids("Statuses=11&Statuses=2"), SizeIs(3));
  EXPECT_THAT(world.ids("Statuses=2&EmailAddresses=b%40example.test"), ElementsAre(kFirst + 1));
}

TEST(List, RefusesBadFilters) {
  TurnedWorld world(still());
  const std::vector<std::string> bad = {
      "Statuses=one",
      "CustomerIds=1,2",
      "IsOptout=maybe",
      "ReviewStatus=Wonderful",
      "DataFilters[1].CustomerDataColumnId=1&DataFilters[1].Value=x",
      "DataFilters[0].Value=x",
      "DataFilters[0].CustomerDataColumnId=x&DataFilters[0].Value=x",
      "DataFilters[0].CustomerDataColumnId=1",
      "TransactionDateFilter.From=2026-01-01T00:00:00+01:00",
      "LastActivityDateFilter.To=soon",
      "TransactionDateFilter.From=2026-02-01&TransactionDateFilter.To=2026-01-01",
      "AnswerFilters[0].ScalePositionIds=4",
      "Limit=%2",
      "Limit=%zz"};
  for (const std::string& query : bad) {
    EXPECT_EQ(world.get(kList + "?" + query).status, 400) << query;
  }
}

TEST(List, FiltersByDateWithBothEndsIncluded) {
  TurnedWorld world(still());
  std::vector<Json> customers;
  for (const char* day : {"2026-01-01", "2026-01-02", "2026-01-03"}) {
    Json one = customer(std::string(day) + "@example.test");
    one["TransactionDate"] = std::string(day) + "T10:00:00Z";
    customers.push_back(one);
  }
  world.add(batch(customers));
  const std::string filter = "TransactionDateFilter";
  EXPECT_THAT(world.ids(filter + ".From=2026-01-02T10:00:00Z"), SizeIs(2));
  EXPECT_THAT(world.ids(filter + ".From=2026-01-02T10:00:00.000001Z"), SizeIs(1));
  EXPECT_THAT(world.ids(filter + ".To=2026-01-02T11:00:00%2B01:00"), SizeIs(2));
  EXPECT_THAT(world.ids(filter + ".From=2026-01-02&" + filter + ".To=2026-01-02"), SizeIs(1));
  EXPECT_THAT(world.ids(filter + ".From=1990-01-01&" + filter + ".To=1990-12-31"), IsEmpty());
}

TEST(List, LeavesAnIgnoredFilterWithoutEffect) {
  Options options = still();
  options.ignored = {"Statuses"};
  TurnedWorld world(options);
  world.add(batch_of(3));
  EXPECT_THAT(world.ids("Statuses=12345"), SizeIs(3));
  EXPECT_THAT(world.ids("CustomerIds=12345"), IsEmpty());
}

TEST(List, SpeaksOtherDialects) {
  Options options = still();
  options.dialect.members = Dialect::Members::bracket;
  options.dialect.lists = Dialect::Lists::index;
  options.dialect.from = "Start";
  TurnedWorld world(options);
  world.add(batch({customer("a@example.test", "o1"), customer("b@example.test", "o2")}));
  EXPECT_THAT(world.ids("CustomerIds[0]=1000002&CustomerIds[1]=1000001"), SizeIs(2));
  EXPECT_THAT(world.ids("DataFilters[0][CustomerDataColumnId]=1&DataFilters[0][Value]=o2"),
              SizeIs(1));
  EXPECT_THAT(world.ids("TransactionDateFilter[Start]=2030-01-01"), IsEmpty());
  EXPECT_EQ(world.get(kList + "?CustomerIds=1000001").status, 400);
  EXPECT_EQ(world.get(kList + "?TransactionDateFilter.Start=2030-01-01").status, 400);
  EXPECT_EQ(world.get(kList + "?CustomerIds[1]=1000001").status, 400) << "a gap";
}

TEST(List, TakesCommasWhereTheDialectHasThem) {
  Options options = still();
  options.dialect.lists = Dialect::Lists::comma;
  TurnedWorld world(options);
  world.add(batch({customer("a@example.test", "x,y"), customer("b@example.test", "o2")}));
  EXPECT_THAT(world.ids("CustomerIds=1000002%2C1000001"), SizeIs(2));
  EXPECT_THAT(world.ids("EmailAddresses=a@example.test,b@example.test"), SizeIs(2));
  EXPECT_THAT(world.ids("DataFilters[0].CustomerDataColumnId=1&DataFilters[0].Value=x%2Cy"),
              SizeIs(1));
}

TEST(List, ShowsNewCustomersOnlyAfterItsDelay) {
  Options options = still();
  options.visible_after = 30s;
  TurnedWorld world(options);
  world.add(batch_of(1));
  EXPECT_THAT(world.ids(""), IsEmpty());
  EXPECT_THAT(world.service.customers(), SizeIs(1));
  world.now += 30s;
  EXPECT_THAT(world.ids(""), SizeIs(1));
}

TEST(List, NamesItsStatusesAndColumns) {
  TurnedWorld world(still());
  const Json statuses = world.ask(kList + "/getcustomerstatuses")["Statuses"];
  ASSERT_THAT(statuses, SizeIs(13));
  EXPECT_EQ(statuses[10], Json::parse(R"({"StatusCode":11,"StatusName":"Fault"})"));
  const Json columns = world.ask("/external/api/v1/customerdatacolumn");
  EXPECT_EQ(columns["CustomerDataColumns"][0]["Name"], "OrderNumber");
  EXPECT_EQ(world.ask("/external/api/v3/customerdatacolumn"), columns);
}

TEST(List, KnowsNoOtherPathAndMethod) {
  TurnedWorld world(still());
  EXPECT_EQ(world.get("/external/api/v2/customer").status, 404);
  EXPECT_EQ(world.get("/external").status, 404);
  EXPECT_EQ(world.send("POST", kList, "{}").status, 405);
  EXPECT_EQ(world.get(TurnedWorld::kAdd).status, 405);
  EXPECT_EQ(world.send("POST", std::string(TurnedWorld::kAdd) + "?x=1", "{}").status, 400);
}

TEST(List, StaysQuickWithAHundredThousandCustomers) {
  TurnedWorld world;
  const std::string most = batch_of(200).dump();
  for (int i = 0; i < 500; ++i)
    world.send("POST", TurnedWorld::kAdd, most);
  world.now += 10 * 24h;
  const std::clock_t begin = std::clock();  // of this process only: other processes may be busy
  const Json page = world.ask(kList + "?SurveyFinishedDateFilter.From=2026-03-12T11:00:00Z");
  EXPECT_LT(std::clock() - begin, CLOCKS_PER_SEC / 2);
  EXPECT_THAT(page["Customers"], testing::Not(IsEmpty()));
}

}  // namespace
}  // namespace sandbox
