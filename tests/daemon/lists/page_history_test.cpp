#include "daemon/lists/page_history.hpp"

#include <gtest/gtest.h>

#include "mapping/interface/root_resources.hpp"

namespace {

using namespace surveybridge;
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

TEST(BareEnd, IsBelievedAtTheFurthestPlaceOnlyAndWhenItIsMetAgain) {
  const daemon::BareEnd::Place first{std::nullopt, 0}, second{std::nullopt, 1},
      fourth{std::nullopt, 4};
  daemon::BareEnd end;
  EXPECT_FALSE(end.has_met());
  EXPECT_FALSE(end.is_believed(fourth));
  EXPECT_TRUE(end.has_met());
  EXPECT_FALSE(end.is_believed(first));
  EXPECT_FALSE(end.is_believed(first)) << "the list has four pages more";
  EXPECT_TRUE(end.is_believed(fourth));
  daemon::BareEnd later;
  EXPECT_FALSE(later.is_believed(second));
  EXPECT_FALSE(later.is_believed(fourth)) << "the first one was no end";
  EXPECT_TRUE(later.is_believed(fourth));
  EXPECT_FALSE(later.is_stuck());
}

}  // namespace
