// A page that is fetched while the one before it is stored.
#include "daemon/pull/fetch_ahead.hpp"

#include <set>
#include <thread>

#include <fmt/format.h>

#include "tests/daemon/shop.hpp"

namespace surveybridge::daemon {
namespace {

using namespace std::chrono_literals;

const TimePoint kNow{std::chrono::sys_days{std::chrono::year{2026} / 11 / 20}};

crm::StoredWalk walk_at(const std::string& cursor, int hour = 0) {
  crm::StoredWalk walk;
  walk.window_from = TimePoint{};
  walk.window_to = TimePoint{} + std::chrono::hours{hour};
  walk.cursor = cursor;
  return walk;
}

RunBeside at_once() {
  return in_process::run_beside(in_process::Beside::ends_when_awaited, 1);
}

PulledPage page(const std::string& next, std::size_t bytes = 1) {
  return PulledPage{{{}, next, false, {}, bytes}};
}

// Pages "b", "c", "d" and so on, each leads to the next.
FetchAhead::Fetch pages(std::size_t bytes = 1) {
  return [bytes](const std::string& cursor) {
    return FetchAhead::Fetched{page({static_cast<char>(cursor[0] + 1)}, bytes), kNow};
  };
}

std::string next_of(const std::optional<FetchAhead::Fetched>& fetched) {
  return fetched ? std::get<PulledPage>(fetched->answer).page.next_cursor : "none";
}

bool any(const PulledPage& /*page*/) {
  return true;
}

TEST(FetchAhead, HandsOutThePageOfItsPlaceOnce) {
  FetchAhead ahead;
  EXPECT_FALSE(ahead.take(walk_at("b"), kNow));
  ahead.begin(at_once(), walk_at("b"), pages());
  EXPECT_EQ(next_of(ahead.take(walk_at("b"), kNow)), "c");
  EXPECT_FALSE(ahead.take(walk_at("b"), kNow));
}

TEST(FetchAhead, FetchesSoManyPagesOrBytesAndGoesOnWhenThereIsRoom) {
  for (const auto& [bytes, at_first] : {std::pair{1UL, FetchAhead::kPagesMax}, {600'000UL, 2UL}}) {
    std::vector<std::string> asked;
    const auto fetch = [&asked, from = pages(bytes)](const std::string& cursor) {
      asked.push_back(cursor);
      return from(cursor);
    };
    FetchAhead ahead;
    ahead.begin(at_once(), walk_at("b"), fetch);
    EXPECT_EQ(asked.size(), at_first);
    ahead.begin(at_once(), walk_at("b"), fetch);
    EXPECT_EQ(asked.size(), at_first) << "there is no room";
    EXPECT_EQ(next_of(ahead.take(walk_at("b"), kNow)), "c");
    ahead.begin(at_once(), walk_at("c"), fetch);
    EXPECT_EQ(asked.size(), at_first + 1);
    EXPECT_EQ(std::set(asked.begin(), asked.end()).size(), asked.size()) << "each once";
    EXPECT_EQ(next_of(ahead.take(walk_at("c"), kNow)), "d");
  }
}

TEST(FetchAhead, EndsWhereThePaceAllowsNoRequest) {
  FetchAhead ahead;
  int allowed = 1;
  const FetchAhead::Fetch fetch = [&](const std::string& cursor) {
    return allowed-- > 0 ? pages()(cursor) : std::nullopt;
  };
  ahead.begin(at_once(), walk_at("b"), fetch);
  EXPECT_EQ(next_of(ahead.take(walk_at("b"), kNow)), "c");
  EXPECT_FALSE(ahead.take(walk_at("c"), kNow));
}

TEST(FetchAhead, EndsAtAPageThatRepeatsItsCursorAndAtATrouble) {
  int asked = 0;
  FetchAhead ahead;
  ahead.begin(at_once(), walk_at("b"), [&](const std::string& cursor) {
    ++asked;
    return FetchAhead::Fetched{page(cursor), kNow};
  });
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(next_of(ahead.take(walk_at("b"), kNow)), "b");
  ahead.begin(at_once(), walk_at("b"), [&](const std::string& /*cursor*/) {
    ++asked;
    return FetchAhead::Fetched{service::Trouble{}, kNow};
  });
  EXPECT_EQ(asked, 2);
  EXPECT_FALSE(ahead.take_ready(walk_at("b"), kNow, any)) << "a trouble is no page";
  EXPECT_TRUE(std::holds_alternative<service::Trouble>(ahead.take(walk_at("b"), kNow)->answer));
}

TEST(FetchAhead, DropsThePagesOfAnotherPlace) {
  FetchAhead ahead;
  ahead.begin(at_once(), walk_at("b"), pages());
  EXPECT_FALSE(ahead.take(walk_at("a"), kNow)) << "the page before could not be stored";
  EXPECT_FALSE(ahead.take(walk_at("b"), kNow));
  ahead.begin(at_once(), walk_at("b"), pages());
  EXPECT_FALSE(ahead.take(walk_at("b", 1), kNow)) << "another window";
  ahead.begin(at_once(), walk_at("b"), pages());
  ahead.begin(at_once(), walk_at("x"), pages());
  EXPECT_EQ(next_of(ahead.take(walk_at("x"), kNow)), "y");
}

// A host that slept must not store what it was told before.
TEST(FetchAhead, DropsAPageThatIsOld) {
  FetchAhead ahead;
  for (const auto& [later, kept] : {std::pair{60s, true}, {61s, false}, {-1s, false}}) {
    ahead.begin(at_once(), walk_at("b"), pages());
    EXPECT_EQ(ahead.take_ready(walk_at("b"), kNow + later, any).has_value(), kept);
    EXPECT_EQ(ahead.take(walk_at(kept ? "c" : "b"), kNow + later).has_value(), kept);
    ahead.keep(walk_at("b"), {page("c"), kNow});
    EXPECT_EQ(ahead.take(walk_at("b"), kNow + later).has_value(), kept) << later.count();
  }
}

TEST(FetchAhead, LeavesAPageThatDoesNotSuit) {
  FetchAhead ahead;
  EXPECT_FALSE(ahead.take_ready(walk_at("b"), kNow, any));
  ahead.begin(at_once(), walk_at("b"), pages());
  EXPECT_FALSE(ahead.take_ready(walk_at("b"), kNow, [](const PulledPage&) { return false; }));
  EXPECT_FALSE(ahead.take_ready(walk_at("c"), kNow, any)) << "\"b\" is the next";
  EXPECT_FALSE(ahead.take_ready(walk_at("b", 1), kNow, any)) << "another window";
  EXPECT_EQ(ahead.take_ready(walk_at("b"), kNow, any)->page.next_cursor, "c");
  EXPECT_EQ(next_of(ahead.take(walk_at("c"), kNow)), "d");
}

TEST(FetchAhead, ThrowsWhatTheFetchHasThrown) {
  FetchAhead ahead;
  ahead.begin(at_once(), walk_at("b"), [](const std::string& cursor) {
    if (cursor == "c") throw std::runtime_error("no memory");
    return pages()(cursor);
  });
  EXPECT_EQ(next_of(ahead.take(walk_at("b"), kNow)), "c");
  EXPECT_FALSE(ahead.take_ready(walk_at("c"), kNow, any));
  EXPECT_THROW(ahead.take(walk_at("c"), kNow), std::runtime_error);
}

// Otherwise take() would wait for a page that nobody fetches.
TEST(FetchAhead, LeavesNothingToWaitForWhereNoThreadCanBeStarted) {
  FetchAhead ahead;
  const RunBeside none = [](const std::function<void()>&) -> std::unique_ptr<RunningWork> {
    throw std::runtime_error("no thread");
  };
  EXPECT_THROW(ahead.begin(none, walk_at("b"), pages()), std::runtime_error);
  EXPECT_FALSE(ahead.take(walk_at("b"), kNow));
}

TEST(FetchAhead, HandsOutEachPageOnceFromAThread) {
  const RunBeside beside = [](std::function<void()> work) -> std::unique_ptr<RunningWork> {
    struct Thread final : RunningWork {
      explicit Thread(std::function<void()> what) : thread(std::move(what)) {}
      ~Thread() override { thread.join(); }
      bool has_ended() override { return false; }
      void wait() override {}
      std::thread thread;
    };
    return std::make_unique<Thread>(std::move(work));
  };
  const FetchAhead::Fetch fetch = [](const std::string& cursor) {
    return FetchAhead::Fetched{page(std::to_string(std::stoi(cursor) + 1)), kNow};
  };
  FetchAhead ahead;
  for (int at = 0; at < 2000;) {
    ahead.begin(beside, walk_at(std::to_string(at)), fetch);
    auto taken = ahead.take(walk_at(std::to_string(at)), kNow);
    ASSERT_EQ(next_of(taken), std::to_string(at + 1));
    ++at;
    while (at % 7 != 0 && ahead.take_ready(walk_at(std::to_string(at)), kNow, any))
      ++at;
    if (at % 13 == 0) ahead.drop();
  }
}

TEST(PulledPage, AppendsThePageThatFollows) {
  PulledPage first = page("c", 5);
  mapping::Record record(mapping::customer());
  record.set("Email", std::string("ann@example.com"));
  PulledPage second = page("d", 7);
  second.page.records.push_back(record);
  second.page.finer_than_stored = true;
  const std::string key = "key";
  first.persons_by(key);
  const auto person = second.persons_by(key).of(record);
  first.append(std::move(second));
  EXPECT_EQ(first.page.next_cursor, "d");
  EXPECT_EQ(first.page.bytes, 12);
  EXPECT_TRUE(first.page.finer_than_stored);
  EXPECT_EQ(first.listed(), 1);
  EXPECT_EQ(first.persons_by(key).of(record), person);
}

class Fetching : public in_process::Shop {
 protected:
  // So many customers are at the service and not stored; a page has four.
  void list(int customers) {
    for (int i = 0; i < customers; ++i)
      order(std::to_string(i));
    sync();
    settings_.pushes.clear();
    settings_.pulls.at(0).limit = 4;
    forget_pulled();
    clock_.now += 1h;
  }
  void forget_pulled() {
    for (const char* table : {"survey_cursor", "survey_customer", "survey_customer_data"})
      sql(std::string("DELETE FROM ") + table);
  }
  // `requested` sees each request of a page.
  void ahead(const std::function<void()>& requested = [] {}) {
    outside_.beside = in_process::Beside::ends_at_once;
    outside_.on_exchange = [this, requested](const service::Request& request, const auto& send) {
      if (request.url.find("LastActivity") != std::string::npos) requested();
      clock_.now += 2s;  // a request takes time: the pace lets the next one go at once
      return send();
    };
  }
};

// The number of customers that are stored when each page is requested.
using StoredAtRequests = std::vector<std::int64_t>;

TEST_F(Fetching, AheadRequestsPagesBeforeTheOnesBeforeThemAreStored) {
  list(10);
  for (const bool beside : {false, true}) {
    forget_pulled();
    StoredAtRequests stored;
    ahead([&] { stored.push_back(number("SELECT COUNT(*) FROM survey_customer")); });
    if (!beside) outside_.beside = in_process::Beside::nothing;
    EXPECT_EQ(sync().result.exit_code, kDone);
    EXPECT_EQ(stored, beside ? (StoredAtRequests{0, 0, 0, 8}) : (StoredAtRequests{0, 4, 8, 8}));
    EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 10);
    clock_.now += 1h;
  }
}

TEST_F(Fetching, AheadStoresThePagesThatAreThereTogetherAndTheLastOneAlone) {
  list(22);
  sql("CREATE TABLE stored (pages INTEGER)");
  for (const char* event : {"INSERT", "UPDATE"})
    sql(fmt::format(
        "CREATE TRIGGER walked_{0} AFTER {0} ON survey_cursor WHEN NEW.walk = 'LastActivityDate'"
        " BEGIN INSERT INTO stored VALUES (NEW.pages); END",
        event));
  ahead();
  EXPECT_EQ(sync().result.exit_code, kDone);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 22);
  EXPECT_EQ(number("SELECT CAST(GROUP_CONCAT(pages, '') AS INTEGER) FROM stored"), 156);
}

}  // namespace
}  // namespace surveybridge::daemon
