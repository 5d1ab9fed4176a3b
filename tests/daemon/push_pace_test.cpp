// A push that waits for its turn at the pace.
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

class PushAtAPace : public whole::Shop {
 protected:
  PushAtAPace() {
    settings_.pulls.clear();
    settings_.pushes.at(0).batch.size = 1;
    settings_.service.pace.max_per_second = 0.2;
    for (const char* id : {"1", "2", "3"})
      order(id);
  }
};

TEST_F(PushAtAPace, LooksAgainForWhatHadToWaitLong) {
  whole::Instance instance(settings_, outside_, 5);
  while (service_.customers().empty())
    instance.step();
  instance.run_until(clock_.now + 1s);  // the next one is found, and told to wait five seconds
  sql("DELETE FROM orders WHERE id = '2'");
  instance.run_until(clock_.now + 1min);
  EXPECT_EQ(service_.customers().size(), 2u) << "an order was sent that is no more";
  EXPECT_EQ(state("3"), crm::State::sent);
}

TEST_F(PushAtAPace, PreparesNothingWhileEverybodyWaits) {
  int asked = 0;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (request.method != "POST") return send();
    ++asked;
    return service::Exchange{service::Response{429, {{"retry-after", "600"}}, ""}};
  };
  whole::Instance instance(settings_, outside_, 5);
  while (asked == 0)
    instance.step();
  sql("ALTER TABLE orders RENAME TO away");  // whoever asks for rows now is in trouble
  instance.run_until(clock_.now + 9min);
  EXPECT_FALSE(instance.log().has("no such table"));
  instance.run_until(clock_.now + 2min);
  EXPECT_TRUE(instance.log().has("no such table"));
  EXPECT_EQ(asked, 1);
}

}  // namespace
