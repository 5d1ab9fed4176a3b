// A service that accepts transactions and loses them: found without anybody calling `verify`.
#include "daemon/push/never_listed.hpp"

#include "connectors/crm/daemon_state/count_store.hpp"
#include "daemon/status/needs.hpp"
#include "mapping/values/dates.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

class NeverListed : public in_process::Shop {
 protected:
  NeverListed() { settings_.pulls.resize(1); }
  // Accepts every add, and keeps what is in it only while `keeps_`.
  void accept_all() {
    outside_.on_exchange = [this](const service::Request& request, const auto& send) {
      if (request.method != "POST" || keeps_) return send();
      return service::Exchange{service::Response{200, {}, "{}"}};
    };
  }
  std::optional<std::int64_t> counted() {
    return daemon::count_never_listed(settings_, settings_.pushes.at(0), *crm_);
  }
  bool keeps_ = false;
};

TEST_F(NeverListed, IsCountedSaidAndShownOnceAWalkADayLaterHasNotListedIt) {
  accept_all();
  order("1");
  order("2");
  sync();
  keeps_ = true;
  order("3");
  sync();
  EXPECT_EQ(counted(), 0) << "they may still be listed";
  clock_.now += 25h;
  EXPECT_EQ(counted(), 0) << "no walk has looked since";
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 30min);
  EXPECT_EQ(counted(), 2);
  EXPECT_TRUE(instance.log().has("2 transactions were accepted by the service more than 24 hours"));
  const auto report = daemon::report(settings_, *crm_, *crm_);
  EXPECT_EQ(report.waiting.at(0).never_listed, 2);
  EXPECT_FALSE(needs_of(report).empty());
}

TEST_F(NeverListed, IsKeptOfALargeLedgerForAStatus) {
  accept_all();
  order("1");
  sync();
  clock_.now += 25h;
  sync();
  ASSERT_EQ(counted(), 1);
  sql("INSERT INTO survey_count (push, counted, rows, before) VALUES ('orders', 'sent', 1, '" +
      mapping::write_timestamp(clock_.now - 10min) + "')");
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 9min);
  EXPECT_EQ(crm::kept_never_listed(*crm_, "orders"), 1);
  sql("UPDATE survey_count SET rows = 7 WHERE counted = 'never listed'");
  EXPECT_EQ(daemon::report(settings_, *crm_, *crm_).waiting.at(0).never_listed, 7)
      << "a status does not count";
}

TEST_F(NeverListed, IsNotToldWhereThePullDoesNotListEveryNewCustomer) {
  accept_all();
  order("1");
  const config::Filter statuses{"Statuses", {}, std::vector<std::string>{"3"}};
  settings_.pulls.at(0).filters = {statuses};
  sync();
  clock_.now += 25h;
  sync();
  EXPECT_EQ(counted(), std::nullopt);
}

TEST_F(NeverListed, IsNoTestBatchWhichTheServiceDoesNotListUnlessAsked) {
  accept_all();
  settings_.pushes.at(0).batch.is_test = true;
  settings_.pushes.at(0).batch.test_domains = {"example.test"};
  order("1");
  sync();
  clock_.now += 25h;
  sync();
  EXPECT_EQ(counted(), 0);
}

}  // namespace
