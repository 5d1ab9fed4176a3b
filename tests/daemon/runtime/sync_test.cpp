// `sync` does everything that is due once. It waits for a service that is busy, and for nothing
// else.
#include "daemon/runtime/sync.hpp"

#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;

class Sync : public in_process::Shop {};

class SyncInDoubt : public in_process::Shop {
 protected:
  SyncInDoubt() : Shop(slow_to_show()) {}
  static sandbox::Options slow_to_show() {
    sandbox::Options options = still();
    options.visible_after = 5min;
    return options;
  }
};

class SyncThrottled : public in_process::Shop {
 protected:
  SyncThrottled() : Shop(four_a_minute()) {}
  static sandbox::Options four_a_minute() {
    sandbox::Options options = still();
    options.limits = {*sandbox::read_limit("minute:4")};
    options.retry_after = "none";
    return options;
  }
};

class SyncIgnored : public in_process::Shop {
 protected:
  SyncIgnored() : Shop(heedless()) {}
  static sandbox::Options heedless() {
    sandbox::Options options = still();
    options.ignored = {"EmailAddresses"};
    return options;
  }
  static constexpr const char* kOneAddress = R"(
[pull.customers]
from = 2026-11-01
limit = 2
[pull.customers.filter]
EmailAddresses = ["person1@example.test"]
)";
};

TEST_F(Sync, EndsWithoutTrouble) {
  order("1");
  const auto done = sync();
  EXPECT_EQ(done.result.exit_code, daemon::kDone);
  EXPECT_EQ(state("1"), State::sent);
}

TEST_F(SyncInDoubt, DoesNotWaitForWhatStaysInDoubt) {
  order("1");
  outside_.on_exchange = in_process::lose_answers;
  EXPECT_LT(sync().waited, 5s);
  EXPECT_EQ(state("1"), State::in_doubt);
  EXPECT_LT(sync().waited, 5s);
  EXPECT_EQ(state("1"), State::in_doubt);
  clock_.now += 6min;
  EXPECT_LT(sync().waited, 5s);
  EXPECT_EQ(state("1"), State::sent);
}

TEST_F(Sync, SaysThatAllIsWellWhenReadBackHasFoundWhatWasInDoubt) {
  order("1");
  outside_.on_exchange = in_process::lose_answers;
  EXPECT_EQ(sync().result.exit_code, daemon::kDone);
  EXPECT_EQ(state("1"), State::sent);
}

TEST_F(Sync, WaitsForAnUnavailableServiceOnlyOnce) {
  outside_.on_exchange = [](const auto&, const auto&) {
    return service::Failure{service::Failure::Kind::not_connected, "nobody there", 0};
  };
  const auto done = sync();
  EXPECT_EQ(done.result.exit_code, daemon::kUnreachable);
  ASSERT_EQ(done.result.jobs.size(), 6u);
  for (const auto& job : done.result.jobs) {
    const bool asks = !job.job.starts_with("reconcile") && job.job != "ledger";
    EXPECT_EQ(job.gave_up, asks) << job.job;
  }
  EXPECT_GT(done.waited, 10s) << "it may have been a moment's trouble";
  EXPECT_LT(done.waited, 35s);
}

// Each request costs the whole time-out.
TEST_F(Sync, TriesAServiceThatDoesNotAnswerTwiceAndForEachFurtherJobOnce) {
  std::map<std::string, int> requests;  // by URL: of the first job, and of each further one
  outside_.on_exchange = [&](const service::Request& request, const auto&) {
    ++requests[request.url.substr(0, request.url.find('?'))];
    clock_.now += 1min;
    return service::Failure{service::Failure::Kind::unknown, "no whole answer in 60 s", 0};
  };
  const auto done = sync();
  EXPECT_EQ(done.result.exit_code, daemon::kUnreachable);
  std::vector<int> tries;
  for (const auto& [url, count] : requests)
    tries.push_back(count);
  EXPECT_THAT(tries, testing::UnorderedElementsAre(2, 1, 1, 1));
}

TEST_F(SyncThrottled, WaitsForTheNextMinuteThoughTheServiceDoesNotSayHowLong) {
  for (int i = 1; i <= 12; ++i)
    order(std::to_string(i));
  settings_.pushes.at(0).batch.size = 1;
  const auto done = sync();
  EXPECT_EQ(done.result.exit_code, daemon::kDone);
  for (const auto& job : done.result.jobs)
    EXPECT_FALSE(job.gave_up) << job.job << ": " << job.status.trouble;
  EXPECT_EQ(service_.customers().size(), 12u);
}

TEST_F(SyncThrottled, GivesUpAServiceThatRefusesEverything) {
  order("1");
  outside_.on_exchange = [](const auto&, const auto&) { return service::Response{429, {}, ""}; };
  const auto done = sync();
  EXPECT_EQ(done.result.exit_code, daemon::kUnreachable);
  EXPECT_GT(done.waited, 2min);
  EXPECT_LT(done.waited, 30min);
}

TEST_F(Sync, SendsAllThoughARowHasNoKey) {
  settings_.pulls.clear();
  settings_.pushes.at(0).batch.size = 1;
  order("");
  for (int i = 1; i <= 20; ++i)
    order(std::to_string(i));
  EXPECT_EQ(sync().result.exit_code, daemon::kNeedsPerson) << "somebody should see to that row";
  EXPECT_EQ(service_.customers().size(), 20u);
}

TEST_F(SyncIgnored, PullsEveryPageThoughAFilterDoesNothing) {
  for (int i = 1; i <= 40; ++i)
    order(std::to_string(i));
  settings_.pulls.clear();
  sync();
  settings_.pulls = in_process::settings_of(kOneAddress).pulls;
  settings_.pushes.clear();
  for (const auto& done : sync().result.jobs)
    EXPECT_FALSE(done.gave_up) << done.job << ": " << done.status.trouble;
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_cursor WHERE list = 'customers'"
                   " AND finished_at IS NOT NULL"),
            1);
}

}  // namespace
