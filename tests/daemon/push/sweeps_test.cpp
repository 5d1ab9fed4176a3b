// The sweeps of a push over its window: what they find, and how much of the time they take.
#include "daemon/push/sweeps.hpp"

#include "mapping/values/dates.hpp"
#include "tests/daemon/shop.hpp"
#include "tests/support/slow_sweeps.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;
using daemon::SweepBudget;

TEST(SweepBudget, GivesOneHundredthOfTheTimeThatPasses) {
  SweepBudget budget;
  budget.reach(1000s);
  EXPECT_FALSE(budget.allows());
  budget.reach(1200s);
  EXPECT_TRUE(budget.allows());
  budget.spend(5s);
  budget.reach(1499s);
  EXPECT_FALSE(budget.allows());
  budget.reach(1501s);
  EXPECT_TRUE(budget.allows());
}

TEST(SweepBudget, SavesNoMoreThanTenSeconds) {
  SweepBudget budget;
  budget.reach(1s);
  budget.reach(100h);
  budget.spend(10s);
  EXPECT_FALSE(budget.allows());
}

TEST(SweepBudget, LosesNothingWhenTheTimeStandsStill) {
  SweepBudget budget;
  budget.reach(100s);
  budget.reach(300s);
  budget.reach(300s);
  budget.spend(1999ms);
  EXPECT_TRUE(budget.allows());
}

class SweepsOfAPush : public in_process::Shop {
 protected:
  void order_at(const std::string& id, daemon::TimePoint at, const std::string& email = "") {
    crm_->execute(
        {"INSERT INTO orders VALUES (:p1, :p2, '5', :p3)",
         {id, email.empty() ? "p" + id + "@example.test" : email, mapping::write_instant(at)}});
  }
  bool is_sent(const std::string& key) {
    const auto entry = crm::Ledger(*crm_).find("orders", key);
    return entry && entry->state == State::sent;
  }
  // Counts the statements that read whole rows by their keys, and may refuse them.
  void count_reads(const std::string& sql) {
    const auto has = [&](const char* part) { return sql.find(part) != std::string::npos; };
    const bool reads = has("bridge_key") && has(" IN (") && !has("bridge_when");
    if (reads) ++reads_;
    if (reads && refuses_)
      throw crm::DatabaseError(crm::DatabaseError::Kind::other, "the query writes", {"25006"});
  }
  // Each statement of a sweep takes so long.
  void slow_sweeps(daemon::Duration each) {
    settings_.pulls.clear();
    outside_.wrap_database = [this, each](std::unique_ptr<crm::Database> inner) {
      return std::make_unique<support::SlowSweeps>(std::move(inner), [this, each] {
        ++sweeps_;
        clock_.now += each;
      });
    };
  }
  void run(daemon::Duration length) {
    if (!bridge_) bridge_ = std::make_unique<in_process::Instance>(settings_, outside_, 7);
    bridge_->run_until(clock_.now + length);
  }

  int sweeps_ = 0, reads_ = 0;
  bool refuses_ = false;
  std::unique_ptr<in_process::Instance> bridge_;
};

TEST_F(SweepsOfAPush, StandVisiblyUntilRowsThatCannotBeReadAreRead) {
  settings_.pulls.clear();
  outside_.wrap_database = [this](auto inner) {
    return std::make_unique<support::LookedAtDatabase>(
        std::move(inner), [this](const std::string& sql) { count_reads(sql); });
  };
  refuses_ = true;
  order_at("1", clock_.now - 3h);
  const auto status = [this] { return bridge_->jobs().at(0)->status(); };
  for (int minute = 0; minute < 60; ++minute) {
    run(1min);
    ASSERT_EQ(status().trouble, "database: the query writes") << minute;
    ASSERT_EQ(status().fault, daemon::JobStatus::Fault::configuration);
  }
  EXPECT_LE(reads_, 40) << "it backs off";
  EXPECT_FALSE(bridge_->log().has("works again"));
  refuses_ = false;
  run(10min);
  EXPECT_EQ(status().trouble, "");
  EXPECT_TRUE(is_sent("1"));
}

TEST_F(SweepsOfAPush, RowsOfOneMomentGoOutOnceWhateverABatchTakes) {
  settings_.pushes.at(0).batch.size = 2;
  for (int i = 0; i < 50; ++i)
    order(std::to_string(i));
  run(1h);
  EXPECT_EQ(mailed(), 50u);
  for (int i = 0; i < 50; ++i)
    EXPECT_TRUE(is_sent(std::to_string(i))) << i;
}

TEST_F(SweepsOfAPush, TwinsFarApartAreBothSetAside) {
  settings_.pushes.at(0).batch.size = 2;
  order_at("twin", clock_.now - 100h, "one@example.test");
  for (int i = 0; i < 30; ++i)
    order_at(std::to_string(i), clock_.now - 50h + std::chrono::minutes(i));
  order_at("twin", clock_.now - 1h, "another@example.test");
  run(1h);
  EXPECT_EQ(state("twin"), State::quarantined);
  EXPECT_EQ(mailed(), 30u);
}

TEST_F(SweepsOfAPush, ARowThatIsGoneBeforeItsTurnHoldsNothingUp) {
  settings_.pushes.at(0).batch.size = 1;
  for (int i = 0; i < 5; ++i)
    order_at(std::to_string(i), clock_.now - 50h + std::chrono::minutes(i));
  bool once = false;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (request.method == "POST" && !std::exchange(once, true))
      sql("DELETE FROM orders WHERE id = '2'");
    return send();
  };
  run(1h);
  EXPECT_EQ(mailed(), 4u);
}

// A sweep over this window takes half a minute: it may begin again after the better part of an
// hour.
TEST_F(SweepsOfAPush, TheRecentPartIsReadAtEachPollWhileTheWholeRests) {
  slow_sweeps(30s);
  run(30min);
  const int before = sweeps_;
  order_at("new", clock_.now - 1min);
  run(3min);
  EXPECT_TRUE(is_sent("new"));
  EXPECT_LE(sweeps_ - before, 4) << "one a poll";
}

TEST_F(SweepsOfAPush, ARowThatIsSetAsideIsNotReadAtEachPoll) {
  slow_sweeps(30s);
  outside_.wrap_database = [this, slow = outside_.wrap_database](auto inner) {
    return std::make_unique<support::LookedAtDatabase>(
        slow(std::move(inner)), [this](const std::string& sql) { count_reads(sql); });
  };
  order_at("bad", clock_.now - 1min, "nobody");
  run(10min);
  ASSERT_EQ(state("bad"), State::quarantined);
  ASSERT_GT(reads_, 0);
  const int before = reads_;
  run(30min);
  EXPECT_EQ(reads_, before) << "the whole window rests";
}

TEST_F(SweepsOfAPush, ALateCommitIsFoundByTheNextSweepOverTheWhole) {
  slow_sweeps(30s);
  run(30min);
  order_at("late", clock_.now - 100h);
  run(10min);
  EXPECT_FALSE(is_sent("late")) << "the whole window rests";
  run(50min);
  EXPECT_TRUE(is_sent("late"));
}

// It appeared behind one sweep, and its window would have moved on before the next.
TEST_F(SweepsOfAPush, ARowThatWasInTheWindowWhenItAppearedIsFoundThoughTheWindowMovesOn) {
  slow_sweeps(30s);
  run(30min);
  order_at("late", clock_.now - settings_.pushes.at(0).look_back + 1min);
  run(2h);
  EXPECT_TRUE(is_sent("late"));
}

TEST_F(SweepsOfAPush, ASlowSweepOverTheWholeWindowEndsWithinADay) {
  settings_.pushes.at(0).batch.size = 1;
  for (int i = 0; i < 60; ++i)
    order_at(std::to_string(100 + i), clock_.now - 150h + std::chrono::minutes(i));
  run(1h);
  ASSERT_EQ(mailed(), 60u);
  bridge_.reset();
  slow_sweeps(10min);  // a chunk's share of the time is a thousand minutes
  run(1h);
  order_at("159a", clock_.now - 150h + 2h);
  run(28h);
  EXPECT_TRUE(is_sent("159a"));
}

// Another instance takes the row that this one was about to claim.
TEST_F(SweepsOfAPush, GoOnElsewhereWhereAnotherInstanceClaimsTheSameRows) {
  settings_.pulls.clear();
  settings_.pushes.at(0).batch.size = 1;
  settings_.service.pace.max_per_second = 2;
  for (int i = 10; i < 30; ++i)
    order_at(std::to_string(i), clock_.now - 2h + i * 1min);
  std::vector<std::string> posted;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    const auto at = request.body.find("\"p");
    if (request.method == "POST") posted.push_back(request.body.substr(at + 2, 2));
    return send();
  };
  in_process::Instance instance(settings_, outside_, 1);
  while (posted.empty())
    instance.step();
  instance.run_until(clock_.now + 100ms);  // the next row is prepared, and waits for the pace
  crm::Ledger(*crm_).claim({"other-batch", "orders", "other", false, "http://127.0.0.1:1"},
                           {{"11", "p11@example.test", clock_.now, ""}});
  instance.run_until(clock_.now + 1min);
  ASSERT_EQ(posted.size(), 19u) << "all but the other instance's row";
  EXPECT_EQ(posted.at(0), "10");
  EXPECT_NE(posted.at(1), "12") << "it went on beside the other instance";
  EXPECT_TRUE(is_sent("12"));
}

class AfterAStandstill : public in_process::Shop {};

// A long weekend, a lost host, a brake that nobody released.
TEST_F(AfterAStandstill, FindsWhatCameMeanwhileHoweverLongItLasted) {
  order("1");
  sync();
  ASSERT_EQ(state("1"), State::sent);
  sql("INSERT INTO orders SELECT '2', 'second@example.test', '5', '" +
      mapping::write_instant(clock_.now + 1h) + "'");
  clock_.now += settings_.pushes.at(0).look_back + 24h;
  sync();
  EXPECT_EQ(state("2"), State::sent);
}

}  // namespace
