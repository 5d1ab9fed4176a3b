// `sync` does everything that is due once. It waits for a service that is busy, and for nothing
// else.
#include "daemon/sync.hpp"

#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;

class Sync : public whole::Shop {};

class SyncInDoubt : public whole::Shop {
 protected:
  SyncInDoubt() : Shop(slow_to_show()) {}
  static sandbox::Options slow_to_show() {
    sandbox::Options options = still();
    options.visible_after = 5min;
    return options;
  }
};

TEST_F(Sync, ComesToItsEndAndSaysThatAllIsWell) {
  order("1");
  const auto done = sync();
  EXPECT_EQ(done.result.exit_code, daemon::kDone);
  EXPECT_EQ(state("1"), State::sent);
}

TEST_F(SyncInDoubt, DoesNotWaitForWhatStaysInDoubt) {
  order("1");
  outside_.on_exchange = whole::lose_answers;
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
  outside_.on_exchange = whole::lose_answers;
  EXPECT_EQ(sync().result.exit_code, daemon::kDone);
  EXPECT_EQ(state("1"), State::sent);
}

TEST_F(Sync, LosesItsPatienceWithAServiceOnce) {
  outside_.on_exchange = [](const auto&, const auto&) {
    return service::Failure{service::Failure::Kind::not_connected, "nobody there", 0};
  };
  const auto done = sync();
  EXPECT_EQ(done.result.exit_code, daemon::kUnreachable);
  ASSERT_EQ(done.result.jobs.size(), 5u);
  for (const auto& job : done.result.jobs) {
    const bool asks = !job.job.starts_with("reconcile");
    EXPECT_EQ(job.gave_up, asks) << job.job;
  }
  EXPECT_GT(done.waited, 10s) << "it may have been a moment's trouble";
  EXPECT_LT(done.waited, 35s);
}

}  // namespace
