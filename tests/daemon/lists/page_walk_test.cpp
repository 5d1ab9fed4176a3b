#include "daemon/lists/page_walk.hpp"

#include <gtest/gtest.h>

#include "mapping/interface/resource.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using namespace std::chrono_literals;
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

// As a cursor with U+0000 is read, which no database stores.
TEST(PageHistory, RefusesACursorThatWasNotReadAsItCame) {
  PageHistory history;
  EXPECT_EQ(history.take("", page({1}, "a\uFFFDb")), Next::unusable);
  EXPECT_EQ(history.why(), "the next cursor is no text, or has a byte that is none");
  EXPECT_EQ(history.take("", page({2}, "b")), Next::page);
}

const TimePoint kPartsFrom{std::chrono::sys_days{std::chrono::year{2026} / 11 / 10}};

// After so many pages of a part of a window.
crm::StoredWalk place_at(std::int64_t pages, std::optional<TimePoint> from = {},
                         std::optional<TimePoint> to = {}) {
  crm::StoredWalk place;
  place.window_from = from;
  place.window_to = to;
  place.pages = pages;
  return place;
}

TEST(BareEnd, IsBelievedWhereTheWalkCameToNoOtherPlaceForAWhile) {
  const auto first = place_at(1), fourth = place_at(4);
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
  const auto first = place_at(0), second = place_at(1), third = place_at(2);
  const auto part = place_at(1, kPartsFrom, kPartsFrom + 1h);
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
    return place_at(2 - i % 2, kPartsFrom + i * 1h, kPartsFrom + (i + 1) * 1h);
  };
  BareEnd end;
  auto now = kPartsFrom;
  EXPECT_FALSE(end.is_believed(place_at(3, kPartsFrom, kPartsFrom + 99h), now))
      << "not divided yet";
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
    EXPECT_FALSE(end.is_believed(place_at(0), now += 1s));
  EXPECT_FALSE(end.is_stuck());
  for (int i = 0; i <= BareEnd::kTriesMax; ++i)
    EXPECT_FALSE(end.is_believed(place_at(1 + i % 2), now += 1s));
  EXPECT_TRUE(end.is_stuck());
}

// An open window that ends at kPartsFrom.
crm::StoredWalk open_walk(Duration length, std::int64_t pages = 0) {
  auto open = place_at(pages, kPartsFrom - length, kPartsFrom);
  open.begun_at = kPartsFrom;
  return open;
}

TEST(AfterPage, FollowsTheCursorAlsoTheSameOne) {
  auto next = after_page(open_walk(8h), "c1", kPartsFrom);
  EXPECT_TRUE(is_open(next));
  EXPECT_EQ(next.cursor, "c1");
  EXPECT_EQ(next.pages, 1);
  EXPECT_TRUE(is_open(after_page(next, "c1", kPartsFrom)));
}

TEST(AfterPage, ClosesTheWindowAndMovesTheWatermarkToItsEnd) {
  const auto next = after_page(open_walk(8h), "", kPartsFrom);
  EXPECT_FALSE(is_open(next));
  EXPECT_EQ(*next.watermark, kPartsFrom);
  EXPECT_EQ(*next.finished_at, kPartsFrom);
  EXPECT_TRUE(next.cursor.empty());
}

TEST(StartAgain, KeepsTheWindow) {
  auto before = open_walk(8h);
  before.cursor = "c5";
  before.pages = 5;
  const auto again = start_again(before);
  EXPECT_EQ(again.window_to, before.window_to);
  EXPECT_TRUE(again.cursor.empty());
  EXPECT_EQ(again.restarts, 1);
}

TEST(Divided, IsReadPartByPartEachTwiceAsLong) {
  auto part = divided(open_walk(8h, 7), 8, kPartsFrom + 1h);
  ASSERT_TRUE(part);
  std::vector<Duration> lengths;
  TimePoint end = kPartsFrom - 8h;
  for (auto at = *part; is_open(at); at = after_page(at, "", kPartsFrom + 1h)) {
    EXPECT_EQ(*at.window_from, end);
    end = *at.window_to;
    lengths.push_back(*at.window_to - *at.window_from);
    EXPECT_EQ(*at.begun_at, kPartsFrom + 1h);
    EXPECT_EQ(at.pages, 0);
    EXPECT_FALSE(at.watermark);
  }
  EXPECT_EQ(lengths, (std::vector<Duration>{1h, 2h, 4h, 1h}));
  EXPECT_EQ(end, kPartsFrom);
}

TEST(Divided, HasNoPartThatIsShorterThanASecond) {
  const auto part = divided(open_walk(2s), 3, kPartsFrom);
  ASSERT_TRUE(part);
  EXPECT_EQ(*part->window_to - *part->window_from, Duration{1s});
  EXPECT_FALSE(divided(*part, 3, kPartsFrom));
}

TEST(Divided, HasNoPartThatIsShorterThanADayWhereDatesAreDays) {
  config::ServiceDialect dialect;
  EXPECT_EQ(shortest_part(dialect), Duration{1s});
  dialect.dates = config::ServiceDialect::Dates::date;
  const auto part = divided(open_walk(72h), 8, kPartsFrom, shortest_part(dialect));
  ASSERT_TRUE(part);
  EXPECT_EQ(*part->window_to - *part->window_from, Duration{24h});
  EXPECT_FALSE(divided(*part, 8, kPartsFrom, shortest_part(dialect)));
}

// A part that can be divided no more is left out only after the list has answered for another
// second.
TEST(ReadsAround, OneFailureBesideAPartThatWasReadLeavesNothingOut) {
  const service::Trouble trouble{service::Trouble::Kind::unavailable, 500, std::nullopt, ""};
  ReadAround around;
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(around.after(trouble, true),
              i < 2 ? ReadAround::Next::wait : ReadAround::Next::ask_before);
  around.answered();
  EXPECT_EQ(around.after(trouble, true), ReadAround::Next::divide);
  around.succeeded();
  EXPECT_EQ(around.after(trouble, true), ReadAround::Next::divide) << "a neighbour was read";
  around.succeeded();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(around.after(trouble, false),
              i < 2 ? ReadAround::Next::wait : ReadAround::Next::ask_before);
  around.answered();
  EXPECT_EQ(around.after(trouble, false), ReadAround::Next::divide);
}

TEST(FailuresMax, AreOfWhatOneRecordMayCause) {
  using service::Trouble;
  EXPECT_EQ(failures_max(Trouble{Trouble::Kind::unavailable, 500, std::nullopt, ""}), 3);
  EXPECT_EQ(failures_max(Trouble{Trouble::Kind::unavailable, 504, std::nullopt, ""}), 6);
  EXPECT_EQ(failures_max(Trouble{Trouble::Kind::malformed, 200, std::nullopt, ""}), 3);
  EXPECT_EQ(failures_max(Trouble{Trouble::Kind::unavailable, 500, 9s, ""}), 3);
  EXPECT_EQ(failures_max(Trouble{Trouble::Kind::forbidden, 403, std::nullopt, ""}), 3);
  EXPECT_FALSE(failures_max(Trouble{Trouble::Kind::unauthorized, 401, std::nullopt, ""}));
  EXPECT_FALSE(failures_max(Trouble{Trouble::Kind::too_many, 429, std::nullopt, ""}));
  EXPECT_FALSE(failures_max(service::without_list(service::customers())));
}

// A walk whose second page is without a list, and once has one: the ten minutes begin anew.
TEST(PageWalk, BelievesNoEndWithoutAListWhereAListCameThereMeanwhile) {
  mapping::Page bare = page({}, "");
  bare.bare = true;
  PageWalk walk(service::customers(), {}, "LastActivityDate", PageBounds{});
  const auto read_again_to_the_second = [&](TimePoint now) {
    walk.stand_at(start_again(walk.place()), now);
    EXPECT_EQ(walk.follow(page({1}, "second")), Next::page);
  };
  walk.stand_at(open_walk(8h), kPartsFrom);
  read_again_to_the_second(kPartsFrom);
  EXPECT_TRUE(walk.doubt(bare, kPartsFrom));
  read_again_to_the_second(kPartsFrom + 1min);
  EXPECT_EQ(walk.follow(page({2}, "third")), Next::page);
  read_again_to_the_second(kPartsFrom + 11min);
  EXPECT_TRUE(walk.doubt(bare, kPartsFrom + 11min)) << "a list came there";
  read_again_to_the_second(kPartsFrom + 21min);
  EXPECT_FALSE(walk.doubt(bare, kPartsFrom + 21min));
}

// Answers every request with an empty list.
class EmptyList final : public service::Transport {
 public:
  service::Exchange send(const service::Request&) override {
    return service::Response{
        200, {{"content-type", "application/json"}}, R"({"Customers":[],"NextCursor":null})"};
  }
};

// The service fails for each part of a stored walk, and answers for the second before it.
TEST(PageWalk, GivesUpWhereAPartThatIsDoubtedIsBetweenThoseLeftOut) {
  const service::Trouble trouble{service::Trouble::Kind::unavailable, 500, std::nullopt, ""};
  config::Service settings;
  const auto credentials = std::get<0>(service::Credentials::make(settings.auth));
  EmptyList transport;
  service::Api api(settings, transport, *credentials);
  PageWalk walk(service::customers(), {}, "LastActivityDate", PageBounds{});
  walk.stand_at(open_walk(8s), kPartsFrom);
  const auto leaves_out = [&] {
    for (int i = 0; i < 20; ++i) {
      const auto answer =
          walk.asks_before() ? walk.ask_before(api, kPartsFrom) : walk.after_trouble(api, trouble);
      const auto* nothing = std::get_if<PageWalk::Nothing>(&answer);
      if (nothing != nullptr && nothing->leaves_out) return true;
    }
    return false;
  };
  ASSERT_TRUE(leaves_out());
  ASSERT_TRUE(leaves_out());
  EXPECT_FALSE(walk.gave_up());
  mapping::Page bare = page({}, "");
  bare.bare = true;
  EXPECT_EQ(walk.follow(page({1}, "second")), Next::page);
  EXPECT_TRUE(walk.doubt(bare, kPartsFrom));
  ASSERT_TRUE(leaves_out());
  EXPECT_TRUE(walk.gave_up()) << "no part was read";
}

TEST(PageWalk, KnowsThatAPageMayBeLostWhereItGoesOnAtAStoredPlace) {
  PageWalk walk(service::customers(), {}, "LastActivityDate", PageBounds{});
  auto stored = open_walk(8h, 1);
  stored.cursor = "same";
  walk.stand_at(stored, kPartsFrom);
  EXPECT_EQ(walk.follow(page({2}, "same")), Next::begin_again);
  walk.stand_at(open_walk(8h), kPartsFrom);
  EXPECT_EQ(walk.follow(page({1}, "same")), Next::page);
  walk.stand_at(walk.place(), kPartsFrom);
  EXPECT_EQ(walk.follow(page({2}, "same")), Next::page) << "it has read the page before";
}

}  // namespace
