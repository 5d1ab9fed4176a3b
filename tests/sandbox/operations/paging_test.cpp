#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sandbox/turned_world.hpp"

namespace sandbox {
namespace {

using testing::ElementsAre;
using testing::SizeIs;
using End = PagingStyle::End;

Options ending(End end) {
  Options options = still();
  options.paging.end = end;
  return options;
}

std::string encoded(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c == '+' ? "%2B" : c == '/' ? "%2F" : c == '=' ? "%3D" : std::string(1, c);
  }
  return out;
}

TEST(Paging, EndsAsTheDeploymentSays) {
  const std::pair<End, Json> ends[] = {{End::null, nullptr}, {End::empty, ""}, {End::blank, "  "}};
  for (const auto& [end, cursor] : ends) {
    TurnedWorld world(ending(end));
    world.add(batch_of(3));
    EXPECT_EQ(world.ask(kList)["NextCursor"], cursor);
    EXPECT_TRUE(world.ask(kList + "?Limit=2")["NextCursor"].get<std::string>().size() > 20);
  }
  TurnedWorld absent(ending(End::absent));
  absent.add(batch_of(3));
  EXPECT_FALSE(absent.ask(kList).contains("NextCursor"));
  EXPECT_TRUE(absent.ask(kList + "?Limit=2").contains("NextCursor"));
}

TEST(Paging, MayGiveTheSameCursorAgain) {
  TurnedWorld world(ending(End::same));
  world.add(batch_of(3));
  const std::string first = world.ask(kList + "?Limit=2")["NextCursor"];
  const Json last = world.ask(kList + "?Limit=2&Cursor=" + encoded(first));
  EXPECT_THAT(last["Customers"], SizeIs(1));
  EXPECT_EQ(last["NextCursor"], first);
}

TEST(Paging, MayNeverEnd) {
  TurnedWorld world(ending(End::endless));
  world.add(batch_of(3));
  std::set<std::string> seen;
  std::string cursor;
  for (int page = 0; page < 5; ++page) {
    const Json body = world.ask(kList + "?Cursor=" + encoded(cursor));
    EXPECT_THAT(body["Customers"], SizeIs(page == 0 ? 3 : 0));
    cursor = body["NextCursor"];
    EXPECT_TRUE(seen.insert(cursor).second);
  }
}

TEST(Paging, MayHaveShortAndEmptyPagesInTheMiddle) {
  Options options = still();
  options.paging.gaps = true;
  TurnedWorld world(options);
  world.add(batch_of(200));
  std::vector<std::size_t> sizes;
  std::string cursor;
  for (int page = 0; page < 4; ++page) {
    const Json body = world.ask(kList + "?Limit=40&Cursor=" + encoded(cursor));
    sizes.push_back(body["Customers"].size());
    cursor = body["NextCursor"];
  }
  EXPECT_THAT(sizes, ElementsAre(40U, 20U, 0U, 20U));
  EXPECT_THAT(world.ids("Limit=40"), SizeIs(200));
}

TEST(Paging, MayRepeatRowsBetweenPages) {
  Options options = still();
  options.paging.shifted = 2;
  TurnedWorld world(options);
  world.add(batch_of(20));
  const auto ids = world.ids("Limit=5");
  EXPECT_GT(ids.size(), 20U);
  EXPECT_EQ(std::set<std::int64_t>(ids.begin(), ids.end()).size(), 20U);
  EXPECT_EQ(ids[3], ids[5]);
  EXPECT_THAT(std::set<std::int64_t>(ids.begin(), ids.end()), SizeIs(20));
  EXPECT_THAT(world.ids("Limit=1"), SizeIs(20)) << "a page of one cannot be shifted";
}

TEST(Paging, MayListEachRowTwice) {
  Options options = still();
  options.paging.twice = true;
  TurnedWorld world(options);
  world.add(batch_of(5));
  EXPECT_THAT(world.ids(""), SizeIs(10));
  EXPECT_THAT(world.ask(kList + "?Limit=4")["Customers"], SizeIs(4));
}

TEST(Paging, ForgetsCursorsWithAStatusOfItsChoice) {
  for (const int status : {400, 404, 410}) {
    Options options = still();
    options.paging.cursor_lifetime = 60s;
    options.paging.expired_status = status;
    TurnedWorld world(options);
    world.add(batch_of(3));
    const std::string next =
        kList + "?Limit=1&Cursor=" + encoded(world.ask(kList + "?Limit=1")["NextCursor"]);
    world.now += 59s;
    EXPECT_EQ(world.get(next).status, 200);
    world.now += 1s;
    EXPECT_EQ(world.get(next).status, status);
  }
}

TEST(Paging, ForgetsCursorsWhenToldTo) {
  TurnedWorld world(still());
  world.add(batch_of(3));
  const std::string next =
      kList + "?Limit=1&Cursor=" + encoded(world.ask(kList + "?Limit=1")["NextCursor"]);
  EXPECT_EQ(world.get(next).status, 200);
  EXPECT_EQ(world.send("POST", "/sandbox/cursors").status, 200);
  EXPECT_EQ(world.get(next).status, 400);
  world.now += 1s;
  EXPECT_THAT(world.ids("Limit=1"), SizeIs(3));
}

}  // namespace
}  // namespace sandbox
