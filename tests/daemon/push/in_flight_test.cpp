// A push whose batches go out beside each other, and whose next batch is prepared meanwhile.
#include <algorithm>

#include "connectors/crm/schema/schema.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;

class InFlight : public in_process::Shop {
 protected:
  InFlight() {
    crm::make_schema(*crm_);
    settings_.pulls.clear();
    push().batch.size = 1;
    push().in_flight = 3;
    outside_.beside = in_process::Beside::ends_when_awaited;
    for (int i = 1; i <= 7; ++i)
      order(std::to_string(i));
  }
  config::Push& push() { return settings_.pushes.at(0); }
  std::int64_t count(const std::string& state) {
    return number("SELECT COUNT(*) FROM survey_push WHERE state = '" + state + "'");
  }
  std::int64_t on_their_way() { return count("claimed"); }
  // Steps until this is true. False: it never was.
  template <typename Condition>
  bool step_until(in_process::Instance& instance, Condition reached) {
    for (int steps = 0; steps < 1000; ++steps) {
      if (reached()) return true;
      instance.step();
    }
    return false;
  }
  // Answers the add of this order's customer without storing it; all others pass.
  void answer(const std::string& order, const service::Response& response) {
    outside_.on_exchange = [this, order, response](const service::Request& request,
                                                   const auto& send) {
      if (request.method != "POST") return send();
      posted_.push_back(clock_.now);
      if (request.body.find("person" + order + "@") == std::string::npos) return send();
      return service::Exchange{response};
    };
  }
  std::vector<daemon::TimePoint> posted_;
};

TEST_F(InFlight, GoTogetherOnceTheServiceHasAcceptedOne) {
  in_process::Instance instance(settings_, outside_, 5);
  std::int64_t most_before = 0, most = 0;
  ASSERT_TRUE(step_until(instance, [&] {
    auto& before_or_after = count("sent") > 0 ? most : most_before;
    before_or_after = std::max(before_or_after, on_their_way());
    return count("sent") == 7;
  }));
  EXPECT_EQ(most_before, 0) << "the first one goes alone";
  EXPECT_EQ(most, 3);
  EXPECT_EQ(service_.customers().size(), 7u);
}

TEST_F(InFlight, AreOneWhileNothingIsAccepted) {
  std::vector<std::int64_t> beside;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (request.method != "POST") return send();
    beside.push_back(on_their_way());
    return service::Exchange{service::Response{400, {{"content-type", "application/json"}}, "{}"}};
  };
  in_process::Instance instance(settings_, outside_, 5);
  instance.run_until(clock_.now + 1min);
  EXPECT_GT(beside.size(), 3u);
  EXPECT_EQ(std::ranges::count(beside, 1), std::ssize(beside));
}

TEST_F(InFlight, AreAllLookedUpWhenTheProcessDies) {
  bool dies = false;
  outside_.on_moment = [&](const in_process::Moment&) {
    if (dies) throw in_process::Died{};
  };
  {
    in_process::Instance instance(settings_, outside_, 5);
    ASSERT_TRUE(step_until(instance, [this] { return on_their_way() == 3; }));
    dies = true;
  }
  EXPECT_EQ(on_their_way(), 3);
  EXPECT_EQ(service_.customers().size(), 4u);
  dies = false;
  in_process::Instance next(settings_, outside_, 6);
  next.run_until(clock_.now + 2h);
  for (int i = 1; i <= 7; ++i)
    EXPECT_EQ(state(std::to_string(i)), State::sent) << i;
  EXPECT_EQ(service_.customers().size(), 7u) << "somebody was mailed twice";
}

TEST_F(InFlight, AreSettledBeforeAnAnswerThatAsksToWait) {
  answer("4", {429, {{"retry-after", "60"}}, ""});
  in_process::Instance instance(settings_, outside_, 5);
  ASSERT_TRUE(step_until(instance, [this] { return count("pending") == 1; }));
  EXPECT_EQ(on_their_way(), 0);
  EXPECT_EQ(state("4"), State::pending);
  EXPECT_EQ(count("sent"), 3);
  const auto status = instance.jobs()[0]->status();
  EXPECT_EQ(status.fault, daemon::JobStatus::Fault::throttled) << status.trouble;
  const auto posted = posted_.size();
  instance.run_until(clock_.now + 59s);
  EXPECT_EQ(posted_.size(), posted) << "something went out during the wait";
}

TEST_F(InFlight, AreSettledThoughThePushWaitsForAnother) {
  answer("2", {401, {}, ""});
  in_process::Instance instance(settings_, outside_, 5);
  ASSERT_TRUE(step_until(instance, [this] { return on_their_way() == 3; }));
  instance.run_until(clock_.now + 1min);
  EXPECT_EQ(count("sent"), 3);
  EXPECT_EQ(on_their_way(), 0);
  EXPECT_TRUE(instance.jobs()[0]->status().trouble.starts_with("not authorized"))
      << "an acceptance has hidden why it waits";
}

TEST_F(InFlight, AreSettledByAStop) {
  in_process::Instance instance(settings_, outside_, 5);
  ASSERT_TRUE(step_until(instance, [this] { return on_their_way() == 3; }));
  instance.leave();
  EXPECT_EQ(on_their_way(), 0);
  EXPECT_EQ(count("sent"), 4);
}

TEST_F(InFlight, KeepTheirAnswersWhileTheDatabaseIsAway) {
  bool away = false;
  outside_.on_moment = [&](const in_process::Moment& moment) {
    using What = in_process::Moment::What;
    if (away && moment.what != What::add && moment.what != What::list)
      throw crm::DatabaseError(crm::DatabaseError::Kind::connection, "away");
  };
  in_process::Instance instance(settings_, outside_, 5);
  ASSERT_TRUE(step_until(instance, [this] { return on_their_way() == 3; }));
  away = true;
  for (int steps = 0; steps < 5; ++steps)
    instance.step();
  away = false;
  EXPECT_EQ(on_their_way(), 3);
  instance.run_until(clock_.now + 5min);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push_event WHERE state = 'in_doubt'"), 0);
  EXPECT_EQ(count("sent"), 7);
  EXPECT_EQ(service_.customers().size(), 7u);
}

class PreparedMeanwhile : public InFlight {
 protected:
  PreparedMeanwhile() { push().in_flight = 1; }
};

TEST_F(PreparedMeanwhile, TheNextBatchIsReadWhileOneIsOnItsWay) {
  in_process::Instance instance(settings_, outside_, 5);
  ASSERT_TRUE(step_until(instance, [this] { return on_their_way() == 1; }));
  ASSERT_TRUE(step_until(instance, [this] { return on_their_way() == 0; }));
  sql("ALTER TABLE orders RENAME TO away");
  const auto sent = count("sent");
  EXPECT_TRUE(step_until(instance, [this] { return on_their_way() == 1; }))
      << "it was not prepared";
  EXPECT_EQ(service_.customers().size(), static_cast<std::size_t>(sent) + 1);
}

TEST_F(PreparedMeanwhile, NobodyOfItIsMailedWhoIsForgottenBeforeItGoes) {
  in_process::Instance instance(settings_, outside_, 5);
  ASSERT_TRUE(step_until(instance, [this] { return on_their_way() == 1; }));
  ASSERT_TRUE(step_until(instance, [this] { return on_their_way() == 0; }));
  const std::string next = std::to_string(count("sent") + 1);
  forget("person" + next + "@example.test");
  instance.run_until(clock_.now + 1min);
  EXPECT_EQ(state(next), State::suppressed);
  EXPECT_EQ(service_.customers().size(), 6u);
}

TEST_F(PreparedMeanwhile, NoBatchIsLeftWhateverTheMomentOfAnAnswer) {
  outside_.beside = in_process::Beside::ends_sometime;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto before = service_.customers().size();
    for (int i = 1; i <= 9; ++i)
      order(std::to_string(seed * 10) + std::to_string(i));
    seed_ = seed;
    const auto synced = sync();
    ASSERT_TRUE(synced.result.jobs.at(0).status.caught_up) << "seed " << seed;
    ASSERT_EQ(service_.customers().size() - before, seed == 1 ? 16u : 9u) << "seed " << seed;
  }
}

TEST_F(PreparedMeanwhile, ItIsChosenAnewAfterABatchThatWasTooLarge) {
  answer("1", {413, {}, ""});
  push().batch.size = 3;
  in_process::Instance instance(settings_, outside_, 5);
  instance.run_until(clock_.now + 5min);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_batch WHERE rows = 3"), 1)
      << "the one that was prepared went as it was";
  EXPECT_EQ(count("sent"), 6);
  EXPECT_EQ(state("1"), State::quarantined);
}

}  // namespace
