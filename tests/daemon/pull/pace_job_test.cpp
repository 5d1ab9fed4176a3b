// What the pace has learned outlives the process, and is shared by those who work on one database.
#include "daemon/pull/pace_job.hpp"

#include <gtest/gtest.h>

#include "connectors/crm/daemon_state/pace_store.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "tests/in_process/instance.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using namespace std::chrono_literals;

constexpr const char* kService = "https://service.example.test";
constexpr TimePoint kMoment{std::chrono::hours{500'000}};
const Requester kPush{"push.orders", RequestClass::write},
    kPull{"pull.customers", RequestClass::read};

struct Instance {
  explicit Instance(const config::Pace& ceilings = {4, 1000})
      : pace(
            ceilings, [this] { return uptime; }, 1) {}
  Duration uptime = 1h;
  Pace pace;

  // Sends as fast as it may, to a service that allows `allowed` a second with a burst of as many.
  int refusals_in(Duration length, double allowed) {
    int refused = 0;
    double tokens = allowed;
    for (Duration end = uptime + length; uptime < end;) {
      const TimePoint now = kMoment + uptime;
      if (const auto later = pace.attempt(now, kPush)) {
        const Duration wait = std::max(*later - now, Duration{1});
        tokens = std::min(allowed, tokens + allowed * std::chrono::duration<double>(wait).count());
        uptime += wait;
        continue;
      }
      PaceAnswer answer;
      answer.request_class = RequestClass::write;
      answer.sent_at = pace.steady();
      if (tokens < 1) {
        answer.kind = PaceAnswer::Kind::refused;
        answer.wait = 1s;
        ++refused;
      } else {
        tokens -= 1;
      }
      pace.finished(RequestClass::write);
      pace.answered(answer);
    }
    return refused;
  }
  double per_second() const { return pace.known().learned.all.per_second; }
};

class PaceJobs : public testing::Test {
 protected:
  PaceJobs() : database_(crm::open_database("sqlite3://:memory:")) { crm::make_schema(*database_); }
  void keep(Instance& instance, const std::string& owner, std::chrono::seconds lives = kPaceLives) {
    keep_pace(*database_, instance.pace, kService, owner, lives);
  }
  std::unique_ptr<crm::Database> database_;
};

TEST_F(PaceJobs, RememberNothingWhereNobodyWasBefore) {
  Instance fresh;
  const double before = fresh.per_second();
  recall_pace(*database_, fresh.pace, kService);
  EXPECT_DOUBLE_EQ(fresh.per_second(), before);
}

TEST_F(PaceJobs, FindTheRateAgainWithoutABurstAndWithoutRelearning) {
  Instance first;
  const int learning = first.refusals_in(3min, 20);
  EXPECT_GE(learning, 1);
  keep(first, "first", 0s);
  Instance second;
  recall_pace(*database_, second.pace, kService);
  EXPECT_NEAR(second.per_second(), 20, 1.5);
  EXPECT_LE(second.refusals_in(1min, 20), 1);
  EXPECT_LT(second.refusals_in(1min, 20), learning);
}

TEST_F(PaceJobs, DivideTheLimitAmongThoseWhoLive) {
  Instance first, second;
  first.refusals_in(3min, 20);
  keep(first, "first");
  recall_pace(*database_, second.pace, kService);
  keep(second, "second");
  keep(first, "first");
  EXPECT_NEAR(first.per_second() + second.per_second(), 20, 2);
  EXPECT_NEAR(first.per_second(), second.per_second(), 1.5);
}

TEST_F(PaceJobs, GiveTheWholeLimitBackWhenTheOthersAreGone) {
  Instance first, second;
  first.refusals_in(3min, 20);
  const double alone = first.per_second();
  keep(second, "second");
  keep(first, "first");
  EXPECT_LT(first.per_second(), 0.6 * alone);
  keep(second, "second", 0s);
  keep(first, "first");
  EXPECT_NEAR(first.per_second(), alone, 0.01 * alone);
}

TEST_F(PaceJobs, TellAnotherServicesRateFromThis) {
  Instance first, second;
  first.refusals_in(3min, 20);
  keep(first, "first");
  const double before = second.per_second();
  recall_pace(*database_, second.pace, "https://another.example.test");
  EXPECT_DOUBLE_EQ(second.per_second(), before);
}

TEST_F(PaceJobs, ShareTheLimitWithNobodyWhoHasCertainlyEnded) {
  Instance first, second, third;
  keep(first, "killed");
  keep(second, "alive");
  const auto has_ended = [](const std::string& owner) { return owner == "killed"; };
  keep_pace(*database_, third.pace, kService, "new", kPaceLives, has_ended);
  const auto rows = crm::PaceStore(*database_).load(kService);
  ASSERT_EQ(rows.size(), 3u);
  for (const auto& row : rows) {
    EXPECT_TRUE(row.owner != "new" || row.share == 2) << row.share;
    EXPECT_EQ(row.live_until > database_->now(), row.owner != "killed") << row.owner;
  }
}

TEST_F(PaceJobs, FindSeparateLimitsAgain) {
  const config::Pace apart{4, 1000, true};
  Instance first(apart), second(apart);
  first.pace.recall({{5, 5}, LearnedRate::Learned{20, 20}});
  keep(first, "first", 0s);
  recall_pace(*database_, second.pace, kService);
  ASSERT_TRUE(second.pace.known().learned.read);
  EXPECT_DOUBLE_EQ(second.pace.known().learned.read->edge, 20);
  EXPECT_DOUBLE_EQ(second.pace.known().learned.all.edge, 5);
}

TEST_F(PaceJobs, KeepWhenItWasRefusedAndUntilWhenItWaits) {
  Instance instance;
  ASSERT_FALSE(instance.pace.attempt(kMoment, kPush));
  PaceAnswer refused;
  refused.kind = PaceAnswer::Kind::refused;
  refused.wait = 10min;
  instance.pace.finished(RequestClass::write);
  refused.request_class = RequestClass::write;
  refused.sent_at = instance.pace.steady();
  instance.pace.answered(refused);
  EXPECT_TRUE(instance.pace.held(kMoment, kPull));
  EXPECT_TRUE(instance.pace.attempt(kMoment, kPush));
  keep(instance, "one");
  const auto rows = crm::PaceStore(*database_).load(kService);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].refused_at, kMoment);
  ASSERT_TRUE(rows[0].held_until);
  EXPECT_GE(*rows[0].held_until, kMoment + 10min);
  EXPECT_EQ(rows[0].waiting, "pull.customers, push.orders");
}

// `status` says "never a 429" where the database knows of none.
TEST_F(PaceJobs, TellOfARefusalAtTheNextLook) {
  support::TemporaryFolder folder;
  const std::string connection = "sqlite3://" + folder.path() + "/pace.db";
  Instance instance;
  config::Settings settings;
  settings.service.base_url = kService;
  Environment world;
  world.owner = "one";
  world.uptime = [&] { return instance.uptime; };
  world.open_database = [&] { return crm::open_database(connection); };
  world.open_transport = [] { return std::unique_ptr<service::Transport>(); };
  in_process::KeptLog log;
  auto credentials = std::get<0>(service::Credentials::make(settings.service.auth));
  PaceJob job({settings, world, log, instance.pace, *credentials});
  job.step(kMoment + instance.uptime);
  const auto told = [&] {
    const auto database = crm::open_database(connection);
    return crm::PaceStore(*database).load(kService).at(0).refused_at.has_value();
  };
  instance.uptime += 5s;
  job.step(kMoment + instance.uptime);
  EXPECT_FALSE(told());
  const Duration before = instance.uptime;
  ASSERT_GT(instance.refusals_in(1s, 1), 0);
  instance.uptime += 5s;
  ASSERT_LT(instance.uptime - before, 20s);
  job.step(kMoment + instance.uptime);
  EXPECT_TRUE(told()) << "before half a minute is over";
}

}  // namespace
