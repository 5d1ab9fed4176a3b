#include "daemon/lists/page_history.hpp"

#include <gtest/gtest.h>

#include "mapping/interface/root_resources.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using daemon::BareEnd;
using daemon::PageHistory;
using Next = PageHistory::Next;

mapping::Page page(std::vector<std::int64_t> ids, std::string next) {
  mapping::Page page;
  for (const auto id : ids)
    page.records.emplace_back(mapping::customer()).set("Id", id);
  page.next_cursor = std::move(next);
  return page;
}

TEST(PageHistory, EndsOnlyWithoutANextCursor) {
  PageHistory history;
  EXPECT_EQ(history.take("", page({}, "a")), Next::page);
  EXPECT_EQ(history.take("a", page({}, "b")), Next::page);
  EXPECT_EQ(history.take("b", page({1}, "a")), Next::page);
  EXPECT_EQ(history.take("a", page({2}, "a")), Next::page);
  EXPECT_EQ(history.take("a", page({3}, "")), Next::end);
}

TEST(PageHistory, IsEndlessAfterAThousandEmptyPages) {
  PageHistory history;
  for (int i = 1; i < PageHistory::kEmptyMax; ++i)
    ASSERT_EQ(history.take("", page({}, std::to_string(i))), Next::page);
  EXPECT_EQ(history.take("", page({1}, "a")), Next::page) << "something new";
  for (int i = 1; i < PageHistory::kEmptyMax; ++i)
    ASSERT_EQ(history.take("", page({}, std::to_string(i))), Next::page);
  EXPECT_EQ(history.take("", page({}, "b")), Next::endless);
  EXPECT_EQ(history.why(), "the list does not end: 1000 pages after the last new record are empty");
}

// With empty pages between them, too.
TEST(PageHistory, IsEndlessWherePagesShowTheSameAgainAndAgain) {
  PageHistory history;
  EXPECT_EQ(history.take("", page({1, 2}, "a")), Next::page);
  for (int i = 1; i < PageHistory::kRepeatedMax; ++i) {
    ASSERT_EQ(history.take("a", page({1, 2}, "b")), Next::page);
    ASSERT_EQ(history.take("b", page({}, "a")), Next::page);
  }
  EXPECT_EQ(history.take("a", page({1, 2}, "b")), Next::endless);
}

TEST(PageHistory, BeginsAgainWhereAPageOfACursorThatComesAgainMayBeLost) {
  PageHistory history;
  EXPECT_EQ(history.take("", page({1}, "a")), Next::page);
  history.lose_page();
  EXPECT_EQ(history.take("a", page({2}, "b")), Next::page) << "each page has its own cursor so far";
  EXPECT_EQ(history.take("b", page({3}, "a")), Next::begin_again);
  EXPECT_EQ(history.take("a", page({4}, "")), Next::begin_again);
}

TEST(PageHistory, RefusesACursorThatIsTooLong) {
  PageHistory history;
  EXPECT_EQ(history.take("", page({1}, std::string(8192, 'x'))), Next::page);
  EXPECT_EQ(history.take("", page({2}, std::string(8193, 'x'))), Next::unusable);
  EXPECT_EQ(history.why(), "the next cursor has 8193 bytes, more than 8192");
}

const mapping::Instant kPartsFrom{std::chrono::sys_days{std::chrono::year{2026} / 11 / 10}};

TEST(BareEnd, IsBelievedWhereTheWalkCameToNoOtherPlaceForAWhile) {
  const BareEnd::Place first{std::nullopt, std::nullopt, 1}, fourth{std::nullopt, std::nullopt, 4};
  BareEnd end;
  EXPECT_FALSE(end.has_met(fourth));
  EXPECT_FALSE(end.is_believed(fourth, kPartsFrom));
  EXPECT_TRUE(end.has_met(first));
  EXPECT_EQ(end.wait(), 30s);
  EXPECT_FALSE(end.is_believed(fourth, kPartsFrom + 30s));
  EXPECT_FALSE(end.is_believed(first, kPartsFrom + 9min));
  EXPECT_FALSE(end.is_believed(fourth, kPartsFrom + BareEnd::kApart)) << "the first one was no end";
  EXPECT_FALSE(end.is_believed(fourth, kPartsFrom + 19min));
  EXPECT_EQ(end.wait(), 1min) << "no longer than it takes to be believed";
  EXPECT_TRUE(end.is_believed(fourth, kPartsFrom + 2 * BareEnd::kApart));
  EXPECT_FALSE(end.is_stuck());
}

TEST(BareEnd, IsNotBelievedWhereAListCameThereOrFurtherOnMeanwhile) {
  const BareEnd::Place first{std::nullopt, std::nullopt, 0}, second{std::nullopt, std::nullopt, 1};
  const BareEnd::Place third{std::nullopt, std::nullopt, 2}, part{kPartsFrom, kPartsFrom + 1h, 1};
  BareEnd end;
  end.passed(second, false);
  EXPECT_FALSE(end.has_met(second));
  EXPECT_FALSE(end.is_believed(second, kPartsFrom));
  EXPECT_FALSE(end.is_believed(part, kPartsFrom));
  auto now = kPartsFrom;
  for (const auto& place : {second, third}) {
    end.passed(place, false);
    EXPECT_FALSE(end.is_believed(second, now += 11min));
  }
  EXPECT_TRUE(end.is_believed(part, now)) << "of another part";
  end.passed(first, true);
  EXPECT_FALSE(end.is_believed(second, now += 11min)) << "it ended by its cursor";
  end.passed(first, false);
  EXPECT_TRUE(end.is_believed(second, now + 10min));
}

TEST(BareEnd, IsOfEachPartOfAWindow) {
  const auto part = [](int i) {
    return BareEnd::Place{kPartsFrom + i * 1h, kPartsFrom + (i + 1) * 1h, 2 - i % 2};
  };
  BareEnd end;
  auto now = kPartsFrom;
  EXPECT_FALSE(end.is_believed({kPartsFrom, kPartsFrom + 99h, 3}, now)) << "not divided yet";
  for (int i = 0; i < 3 * BareEnd::kTriesMax; ++i) {
    EXPECT_FALSE(end.has_met(part(i)));
    EXPECT_FALSE(end.is_believed(part(i), now));
    now += BareEnd::kApart;
    for (int before = 0; before <= i; ++before)
      EXPECT_TRUE(end.is_believed(part(before), now)) << before;
    EXPECT_FALSE(end.is_stuck());
  }
}

TEST(BareEnd, IsStuckWhereItMovesAndNotWhereTheServiceIsAway) {
  BareEnd end;
  auto now = kPartsFrom;
  for (int i = 0; i < 100; ++i)
    EXPECT_FALSE(end.is_believed({std::nullopt, std::nullopt, 0}, now += 1s));
  EXPECT_FALSE(end.is_stuck());
  for (int i = 0; i <= BareEnd::kTriesMax; ++i)
    EXPECT_FALSE(end.is_believed({std::nullopt, std::nullopt, 1 + i % 2}, now += 1s));
  EXPECT_TRUE(end.is_stuck());
}

}  // namespace
