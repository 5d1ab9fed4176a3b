// Everybody who finishes is asked once more: the service lists two customers for one transaction.
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

constexpr int kOrders = 60;

class SecondFeedback : public in_process::Shop {
 protected:
  static sandbox::Options everybody() {
    auto options = still();
    options.lives_speed = 1;
    options.second_feedback = 1;
    return options;
  }
  SecondFeedback() : Shop(everybody()) {}
  // Orders go out, a season passes, and what came of it is pulled.
  void live() {
    settings_.pushes.at(0).batch.approve_automatically = true;
    for (int id = 1; id <= kOrders; ++id)
      order(std::to_string(id));
    sync();
    clock_.now += 24h * 90;
    sync();
  }
};

TEST_F(SecondFeedback, IsNoSecondTransactionToTheLedger) {
  live();
  ASSERT_GT(number("SELECT COUNT(*) FROM survey_customer WHERE is_second_feed_back"), 0);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push WHERE state = 'sent'"), kOrders);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push WHERE reason LIKE '%MORE THAN ONCE%'"), 0);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push p JOIN survey_customer c"
                   " ON c.id = p.customer_id WHERE c.is_second_feed_back"),
            0);
}

}  // namespace
