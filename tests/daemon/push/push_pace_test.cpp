// A push that waits for the pace.
#include <algorithm>

#include "connectors/crm/daemon_state/pace_store.hpp"
#include "daemon/pull/pace_job.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

class PushAtAPace : public in_process::Shop {
 protected:
  PushAtAPace() : with_pulls_(settings_) {
    settings_.pulls.clear();
    settings_.pushes.at(0).batch.size = 1;
    settings_.service.pace.max_per_second = 0.2;
    for (const char* id : {"1", "2", "3"})
      order(id);
  }
  config::Settings with_pulls_;
};

TEST_F(PushAtAPace, LooksAgainForWhatHadToWaitLong) {
  in_process::Instance instance(settings_, outside_, 5);
  while (service_.customers().empty())
    instance.step();
  instance.run_until(clock_.now + 1s);  // the next batch is found, and has to wait five seconds
  sql("DELETE FROM orders WHERE id = '2'");
  instance.run_until(clock_.now + 1min);
  EXPECT_EQ(service_.customers().size(), 2u) << "an order was sent that is no more";
  EXPECT_EQ(state("3"), crm::State::sent);
}

TEST_F(PushAtAPace, SendsNobodyWhoWasForgottenWhileTheBatchWaited) {
  settings_.service.pace.max_per_second = 2;  // found again only after a second
  in_process::Instance instance(settings_, outside_, 5);
  while (service_.customers().empty())
    instance.step();
  instance.run_until(clock_.now + 100ms);  // the next batch waits half a second
  forget("person2@example.test");
  instance.run_until(clock_.now + 1min);
  EXPECT_EQ(service_.customers().size(), 2u);
  EXPECT_EQ(state("2"), crm::State::suppressed);
}

TEST_F(PushAtAPace, TellsALongWaitWithinSeconds) {
  settings_ = with_pulls_;
  settings_.service.pace.max_per_second = 0.2;
  const auto begun = clock_.now;
  outside_.on_exchange = [&](const service::Request&, const auto& send) {
    if (clock_.now < begun + 6s) return send();
    return service::Exchange{service::Response{429, {{"retry-after", "600"}}, ""}};
  };
  in_process::Instance instance(settings_, outside_, 5);
  instance.run_until(begun + 20s);
  const auto rows = crm::PaceStore(*crm_).load(daemon::pace_key(settings_));
  ASSERT_EQ(rows.size(), 1u);
  ASSERT_TRUE(rows[0].held_until) << "it would be told with the next half minute";
  EXPECT_GE(*rows[0].held_until, begun + 9min);
  EXPECT_FALSE(rows[0].waiting.empty());
}

TEST_F(PushAtAPace, PreparesNothingWhileEverybodyWaits) {
  int asked = 0;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (request.method != "POST") return send();
    ++asked;
    return service::Exchange{service::Response{429, {{"retry-after", "600"}}, ""}};
  };
  in_process::Instance instance(settings_, outside_, 5);
  while (asked == 0)
    instance.step();
  sql("ALTER TABLE orders RENAME TO away");  // a query for rows fails now
  instance.run_until(clock_.now + 9min);
  EXPECT_FALSE(instance.log().has("no such table"));
  instance.run_until(clock_.now + 2min);
  EXPECT_TRUE(instance.log().has("no such table"));
  EXPECT_EQ(asked, 1);
}

TEST_F(PushAtAPace, IsHeardOfThoughTheHostsClockIsSetBack) {
  in_process::Instance instance(settings_, outside_, 5);
  const auto job =
      std::ranges::find(instance.jobs(), "pace", [](auto& each) { return each->name(); });
  (*job)->step(clock_.now);
  for (int i = 0; i < 60; ++i) {
    clock_.now += 5s;  // the database's clock continues
    (*job)->step(clock_.now - 1h);
  }
  const auto rows = crm::PaceStore(*crm_).load(daemon::pace_key(settings_));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_GT(rows[0].live_until, clock_.now) << "others count it as gone";
}

}  // namespace
