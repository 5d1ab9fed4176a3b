// `sample` and `quota`: which rows of a push are sent at all.
#include "connectors/crm/leases/lease.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;

class Shares : public in_process::Shop {
 protected:
  Shares() {
    settings_.pulls.clear();
    push().look_back = std::chrono::hours{24 * 30};
  }
  config::Push& push() { return settings_.pushes.at(0); }
  // At most `most` a week for each grade.
  void have_quota(int most) {
    push().quota = {"grade", most, config::Push::Quota::Per::week};
    push().batch.size = 2;
  }
  void orders(int from, int to, const std::string& grade = "a") {
    for (int id = from; id < to; ++id)
      order(std::to_string(id), grade);
  }
  std::int64_t rows(const std::string& condition) {
    return number("SELECT COUNT(*) FROM survey_push WHERE " + condition);
  }
  static constexpr const char* kOver =
      "state = 'suppressed' AND reason = 'over the quota: 3 a week for each \"grade\"'";
};

TEST_F(Shares, ARaisedShareMailsNobodyOfThePast) {
  push().sample = 0.2;
  orders(0, 300);
  run(1h);
  const auto drawn = mailed();
  EXPECT_GT(drawn, 30u);
  EXPECT_LT(drawn, 90u);
  EXPECT_EQ(rows("state = 'suppressed' AND reason = 'not drawn (sample)'"),
            300 - static_cast<std::int64_t>(drawn));
  push().sample = 1;
  run(25h);
  EXPECT_EQ(mailed(), drawn);
  order("later");
  run(10min);
  EXPECT_EQ(state("later"), State::sent);
}

TEST_F(Shares, APersonIsDrawnWithAllTransactionsOrNone) {
  push().sample = 0.5;
  push().sample_by = config::Push::SampleBy::person;
  orders(0, 40);
  sql("UPDATE orders SET email = 'ann@example.test'");
  run(1h);
  EXPECT_TRUE(mailed() == 0 || mailed() == 40) << mailed();
}

TEST_F(Shares, AQuotaHoldsForEachValueAcrossRestartsAndBeginsAnewWithTheWeek) {
  have_quota(3);
  orders(0, 10);
  orders(10, 12, "b");
  run(1h);
  EXPECT_EQ(mailed(), 5u);
  EXPECT_EQ(rows(kOver), 7);
  orders(20, 30);
  run(1h);
  EXPECT_EQ(mailed(), 5u);
  EXPECT_EQ(rows(kOver), 17);
  clock_.now += 24h * 7;
  run(25h);
  EXPECT_EQ(mailed(), 5u) << "what was over the quota stays so";
  orders(30, 40);
  run(1h);
  EXPECT_EQ(mailed(), 8u);
}

TEST_F(Shares, AQuotaByAnotherColumnCountsAnew) {
  have_quota(3);
  orders(0, 3, "1");
  run(1h);
  ASSERT_EQ(mailed(), 3u);
  query("SELECT id, email, grade, delivered_at, '1' AS region FROM orders");
  push().quota->column = "region";
  orders(10, 13, "2");
  run(1h);
  EXPECT_EQ(mailed(), 6u) << "none of that region was counted before";
}

// The process dies when the service has stored the first batch: its rows may have gone out.
TEST_F(Shares, AQuotaHoldsAcrossAProcessThatDies) {
  have_quota(3);
  orders(0, 10);
  bool dies = true;
  outside_.on_moment = [&](const in_process::Moment& moment) {
    const bool added = moment.what == in_process::Moment::What::add &&
                       moment.side == in_process::Moment::Side::after;
    if (added && std::exchange(dies, false)) throw in_process::Died{};
  };
  EXPECT_THROW(run(1h), in_process::Died);
  ASSERT_EQ(mailed(), 2u);
  run(2h);
  EXPECT_EQ(mailed(), 3u);
  EXPECT_EQ(rows(kOver), 7);
}

// While the first daemon's batch is on its way, another one sends what it may.
TEST_F(Shares, AQuotaHoldsBesideAnotherDaemon) {
  have_quota(3);
  orders(0, 10);
  in_process::Instance other(settings_, outside_, 99);
  bool goes_between = true;
  outside_.on_moment = [&](const in_process::Moment& moment) {
    const bool adds = moment.what == in_process::Moment::What::add &&
                      moment.side == in_process::Moment::Side::before;
    if (adds && std::exchange(goes_between, false)) other.run_until(clock_.now + 5s);
  };
  run(2h);
  other.run_until(clock_.now + 2h);
  ASSERT_FALSE(goes_between);
  EXPECT_EQ(mailed(), 3u);
  EXPECT_EQ(rows(kOver), 7);
}

TEST_F(Shares, AQuotaIsCountedUnderTheTurn) {
  have_quota(3);
  orders(0, 2);
  crm::make_schema(*crm_);
  const auto database = in_process::watched(crm::open_database(connection_), clock_, {});
  const auto turn = crm::Leases(*database).take("suppress", "another daemon", 10min);
  ASSERT_TRUE(turn);
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(clock_.now + 1min);
  EXPECT_EQ(mailed(), 0u);
  crm::Leases(*database).release(*turn);
  bridge.run_until(clock_.now + 1min);
  EXPECT_EQ(mailed(), 2u);
}

}  // namespace
