// A service that answers "refused" and stores the customers all the same: once this is known, its
// refusals are looked up before anything is sent again.
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;

service::Exchange refused() {
  return service::Response{400, {}, R"({"Message":"the grade is bad"})"};
}

service::Exchange keep_yet_refuse(const service::Request& request,
                                  const std::function<service::Exchange()>& send) {
  auto answer = send();
  return request.method == "POST" ? refused() : std::move(answer);
}

service::Exchange refuse(const service::Request& request,
                         const std::function<service::Exchange()>& send) {
  return request.method == "POST" ? refused() : send();
}

class KeptRefusal : public in_process::Shop {
 protected:
  void pass(int rounds) {
    for (int i = 0; i < rounds; ++i) {
      sync();
      clock_.now += 15min;
    }
  }
  // Order 1 was stored although refused, and the pull has read it.
  void learn() {
    order("1");
    outside_.on_exchange = keep_yet_refuse;
    pass(2);
    ASSERT_EQ(state("1"), State::sent);
  }
};

TEST_F(KeptRefusal, IsSentAsSoonAsTheServiceListsIt) {
  learn();
  EXPECT_EQ(service_.customers().size(), 1u);
  EXPECT_TRUE(crm::Ledger(*crm_).keeps_what_it_refuses("orders"));
}

TEST_F(KeptRefusal, OfManyIsLookedUpBeforeItIsHalved) {
  learn();
  for (const char* id : {"2", "3", "4", "5"})
    order(id);
  pass(3);
  for (const char* id : {"2", "3", "4", "5"})
    EXPECT_EQ(state(id), State::sent) << id;
  EXPECT_EQ(service_.customers().size(), 5u) << "somebody was mailed twice";
}

TEST_F(KeptRefusal, LeavesRefusalsThatWereTrueToQuarantineWithTheServicesWords) {
  learn();
  order("2");
  order("3");
  outside_.on_exchange = refuse;
  sync();
  EXPECT_EQ(state("2"), State::in_doubt);
  pass(8);
  for (const char* id : {"2", "3"}) {
    EXPECT_EQ(state(id), State::quarantined) << id;
    EXPECT_NE(reason(id).find("the grade is bad"), std::string::npos) << reason(id);
  }
  EXPECT_EQ(service_.customers().size(), 1u);
}
TEST_F(KeptRefusal, OfAnOrderThatIsGoneSinceIsSentAsSoonAsTheServiceListsIt) {
  settings_.pulls.resize(1);
  const auto pulls = std::exchange(settings_.pulls, {});
  order("1");
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    auto answer = send();
    if (request.method != "POST") return answer;
    return service::Exchange{service::Response{429, {{"retry-after", "60"}}, ""}};
  };
  run(10s);
  ASSERT_EQ(state("1"), State::pending);
  sql("DELETE FROM orders");
  clock_.now += 10min;
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    const bool list = request.url.find("DateFilter") != std::string::npos;
    return list ? service::Exchange{in_process::no_customers()} : send();
  };
  sync();
  ASSERT_EQ(state("1"), State::quarantined);
  outside_.on_exchange = {};
  settings_.pulls = pulls;
  sync();
  EXPECT_EQ(state("1"), State::sent);
}

}  // namespace
