// What `doubt resend` asks the service about a row that is held, and when its answer proves
// nothing.
#include "daemon/context/supervised_job.hpp"
#include "daemon/reconcile/look_up_job.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

class LookUp : public in_process::Shop {
 protected:
  LookUp() {
    settings_.pulls.clear();
    order("900");
    sync();
    lost_.key = "901";
    lost_.email = "person901@example.test";
    lost_.transaction_date = clock_.now;
  }
  // What is found of the lost row, with "900" as the key that covers the form of its own.
  daemon::LookUpJob::Found look_up() {
    daemon::Environment world;
    world.open_transport = [this] { return in_process::wired(service_, {}, outside_.on_exchange); };
    world.uptime = [this] { return clock_.now.time_since_epoch(); };
    in_process::KeptLog log;
    daemon::Pace pace(settings_.service.pace, world.uptime, 1);
    auto credentials = std::get<0>(service::Credentials::make(settings_.service.auth));
    const daemon::Shared shared{settings_, world, log, pace, *credentials, true};
    daemon::LookUpJob job("look-up.orders", {settings_.pushes.at(0).correlate, "900", {lost_}},
                          shared, 1);
    for (int i = 0; i < 20 && !job.status().caught_up; ++i)
      clock_.now = std::max(clock_.now, std::min(job.step(clock_.now), clock_.now + 1h));
    EXPECT_TRUE(job.status().caught_up) << job.status().trouble;
    return job.found();
  }
  // The service answers a search by addresses so.
  void by_address(const std::string& customers) {
    outside_.on_exchange = [customers](const service::Request& request, const auto& send) {
      if (request.url.find("EmailAddresses") == std::string::npos) return send();
      return service::Exchange{
          service::Response{200,
                            {{"content-type", "application/json"}},
                            R"({"Customers":[)" + customers + R"(],"NextCursor":null})"}};
    };
  }

  crm::Doubt lost_;
};

TEST_F(LookUp, ProvesThatARowIsAbsent) {
  const auto found = look_up();
  EXPECT_TRUE(found.listed.empty());
  EXPECT_TRUE(found.proven);
}

TEST_F(LookUp, FindsARowByItsKey) {
  lost_.key = "900";
  EXPECT_EQ(look_up().listed.at("900").size(), 1u);
}

TEST_F(LookUp, FindsACustomerOfTheAddressUnderAnotherKey) {
  by_address(R"({"Id":7,"Email":"person901@example.test"})");
  const auto found = look_up();
  ASSERT_EQ(found.alike.size(), 1u);
  EXPECT_EQ(found.alike.front().alike.at("901").at(0).id, 7);
}

TEST_F(LookUp, ProvesNothingWhereTheServiceIgnoresTheAddresses) {
  by_address(R"({"Id":7,"Email":"somebody@else.test"})");
  EXPECT_FALSE(look_up().proven);
}

TEST_F(LookUp, ProvesNothingWhereARecordCannotBeRead) {
  by_address(R"({"Id":7,"Email":"person901@example.test","OptedOut":"perhaps"})");
  EXPECT_FALSE(look_up().proven);
}

// An index of the service that is emptied meanwhile, say.
TEST_F(LookUp, ProvesNothingWhereTheKnownKeyIsListedNoLongerAtTheEnd) {
  bool tried = false;
  outside_.on_exchange = [&tried](const service::Request& request, const auto& send) {
    const bool tries = request.url.find("900") != std::string::npos && !tried;
    if (tries || !tried) {
      tried = tries;
      return send();
    }
    return service::Exchange{in_process::no_customers()};
  };
  EXPECT_FALSE(look_up().proven);
  EXPECT_TRUE(tried);
}

TEST_F(LookUp, ProvesNothingWhereASearchTakesTooLong) {
  outside_.on_exchange = [this](const service::Request& request, const auto& send) {
    if (request.url.find("EmailAddresses") != std::string::npos) clock_.now += 6min;
    return send();
  };
  EXPECT_FALSE(look_up().proven);
}

TEST_F(LookUp, TriesTheKnownKeyAgainAfterALongSearch) {
  int tries = 0;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (request.url.find("900") != std::string::npos) ++tries;
    if (request.url.find("901") != std::string::npos) clock_.now += 3min;
    return send();
  };
  EXPECT_TRUE(look_up().proven);
  EXPECT_EQ(tries, 3);
}

TEST_F(LookUp, ProvesNothingWhereTheKnownKeyIsNotListed) {
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    if (request.url.find("900") == std::string::npos) return send();
    return service::Exchange{
        service::Response{200, {{"content-type", "application/json"}}, R"({"Customers":[]})"}};
  };
  EXPECT_FALSE(look_up().proven);
}

}  // namespace
