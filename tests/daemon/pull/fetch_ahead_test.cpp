// A page that is fetched while the one before it is stored.
#include "daemon/pull/fetch_ahead.hpp"

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

FetchAhead::Answer page(const std::string& next) {
  return PulledPage{{{}, next}};
}

TEST(FetchAhead, HandsOutThePageOfItsPlaceOnce) {
  FetchAhead ahead;
  EXPECT_FALSE(ahead.take(walk_at("b"), kNow));
  ahead.begin(at_once(), walk_at("b"), kNow, [] { return page("c"); });
  const auto taken = ahead.take(walk_at("b"), kNow);
  ASSERT_TRUE(taken);
  EXPECT_EQ(std::get<PulledPage>(taken->answer).page.next_cursor, "c");
  EXPECT_FALSE(ahead.take(walk_at("b"), kNow));
}

TEST(FetchAhead, DropsThePageOfAnotherPlace) {
  FetchAhead ahead;
  ahead.begin(at_once(), walk_at("b"), kNow, [] { return page("c"); });
  EXPECT_FALSE(ahead.take(walk_at("a"), kNow)) << "the page before could not be stored";
  EXPECT_FALSE(ahead.take(walk_at("b"), kNow));
  ahead.begin(at_once(), walk_at("b"), kNow, [] { return page("c"); });
  EXPECT_FALSE(ahead.take(walk_at("b", 1), kNow)) << "another window";
}

// A host that slept must not store what it was told before.
TEST(FetchAhead, DropsAPageThatIsOld) {
  FetchAhead ahead;
  for (const auto& [later, kept] : {std::pair{60s, true}, {61s, false}, {-1s, false}}) {
    ahead.begin(at_once(), walk_at("b"), kNow, [] { return page("c"); });
    EXPECT_EQ(ahead.take(walk_at("b"), kNow + later).has_value(), kept) << later.count();
    ahead.keep(walk_at("b"), {page("c"), kNow});
    EXPECT_EQ(ahead.take(walk_at("b"), kNow + later).has_value(), kept) << later.count();
  }
}

TEST(FetchAhead, ThrowsWhatTheFetchHasThrown) {
  FetchAhead ahead;
  ahead.begin(at_once(), walk_at("b"), kNow,
              []() -> FetchAhead::Answer { throw std::runtime_error("no memory"); });
  EXPECT_THROW(ahead.take(walk_at("b"), kNow), std::runtime_error);
}

class Fetching : public in_process::Shop {};

// The number of customers that are stored when each page is requested.
using StoredAtRequests = std::vector<std::int64_t>;

TEST_F(Fetching, AheadRequestsAPageBeforeTheOneBeforeItIsStored) {
  for (int i = 0; i < 10; ++i)
    order(std::to_string(i));
  sync();
  settings_.pushes.clear();
  settings_.pulls.at(0).limit = 4;
  for (const bool ahead : {false, true}) {
    for (const char* table : {"survey_cursor", "survey_customer", "survey_customer_data"})
      sql(std::string("DELETE FROM ") + table);
    outside_.beside = ahead ? in_process::Beside::ends_at_once : in_process::Beside::nothing;
    StoredAtRequests stored;
    outside_.on_exchange = [&](const service::Request& request, const auto& send) {
      if (request.url.find("LastActivity") != std::string::npos)
        stored.push_back(number("SELECT COUNT(*) FROM survey_customer"));
      clock_.now += 2s;  // a request takes time: the pace lets the next one go at once
      return send();
    };
    clock_.now += 1h;
    EXPECT_EQ(sync().result.exit_code, kDone);
    EXPECT_EQ(stored, ahead ? (StoredAtRequests{0, 0, 4, 8}) : (StoredAtRequests{0, 4, 8, 8}));
    EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 10);
  }
}

}  // namespace
}  // namespace surveybridge::daemon
