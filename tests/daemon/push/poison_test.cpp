// A bad row must not stop the other rows, nor cost many requests.
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mapping/values/dates.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using crm::State;
using std::chrono::hours;
using std::chrono::minutes;

constexpr daemon::TimePoint kBegin{std::chrono::sys_days{std::chrono::year{2026} / 11 / 10}};

const char* const kConfiguration = R"(
[push.orders]
brake = false
every = "1m"
query = "SELECT id, email, delivered_at, name FROM orders"
key = "id"
when = "delivered_at"
start = 2026-11-01
look_back = "2d"
correlate = "OrderNumber"
settle = "10m"
[push.orders.batch]
size = 200
[push.orders.customer]
Email = "email"
TransactionDate = "delivered_at"
[push.orders.customer.Data]
OrderNumber = "id"
FirstName = "name"
)";

// Refuses every body with a bad name, without naming the customer.
service::Exchange refuse_bad(const service::Request& request,
                             const std::function<service::Exchange()>& send) {
  if (request.body.find("\"bad\"") == std::string::npos) return send();
  return service::Response{400, {}, R"({"Message":"the name is bad"})"};
}

class Whole : public in_process::Shop {
 protected:
  Whole() {
    settings_ = in_process::settings_of(kConfiguration);
    sql("DROP TABLE orders");
    sql("CREATE TABLE orders (id INTEGER PRIMARY KEY, email TEXT, delivered_at TEXT, name TEXT)");
  }

  void order(std::int64_t id, daemon::TimePoint delivered, const std::string& name = "Jo") {
    crm_->execute({"INSERT INTO orders VALUES (:p1, :p2, :p3, :p4)",
                   {id, "person" + std::to_string(id) + "@example.test",
                    mapping::write_instant(delivered), name}});
  }

  std::map<std::string, int> mailed() const {
    std::map<std::string, int> times;
    for (const auto& held : service_.customers()) {
      for (const auto& [name, value] : held.data) {
        if (name == "OrderNumber") ++times[value];
      }
    }
    return times;
  }

  void forget(const std::vector<std::string>& addresses) {
    for (const auto& address : addresses)
      Shop::forget(address);
  }
};

class Poison : public Whole {};

TEST_F(Poison, ThreeBadRowsOfTwoHundredAreFoundInFewRequests) {
  for (int id = 1; id <= 200; ++id) {
    order(id, kBegin - hours{1}, id == 17 || id == 99 || id == 100 ? "bad" : "Jo");
  }
  int adds = 0;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    adds += request.method == "POST" ? 1 : 0;
    return refuse_bad(request, send);
  };
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(kBegin + minutes{30});
  const auto times = mailed();
  EXPECT_EQ(times.size(), 197u);
  for (const auto& [key, count] : times)
    EXPECT_EQ(count, 1) << key;
  const auto set_aside = crm::Ledger(*crm_).list("orders", State::quarantined, 10);
  ASSERT_EQ(set_aside.size(), 3u);
  for (const auto& entry : set_aside) {
    EXPECT_NE(entry.reason.find("the name is bad"), std::string::npos) << entry.reason;
  }
  EXPECT_LE(adds, static_cast<int>(2 * 3 * std::log2(200)));
  RecordProperty("adds", adds);
}

// Refuses a body with a bad name, and names its customer in a way of its own.
struct RefusalNaming {
  const char* name;
  std::function<std::string(std::size_t index)> body;
};

class NamedOtherwise : public Whole, public testing::WithParamInterface<RefusalNaming> {};

INSTANTIATE_TEST_SUITE_P(
    , NamedOtherwise,
    testing::Values(
        RefusalNaming{"CountedFromOne",
                      [](std::size_t index) {
                        return fmt::format(R"({{"errors":{{"Customers[{}].Data":["bad"]}}}})",
                                           index + 1);
                      }},
        RefusalNaming{"BesideTheRowThatItIsComparedWith",
                      [](std::size_t index) {
                        return fmt::format(
                            R"({{"Message":"Customers[{}] is not like Customers[0]"}})", index);
                      }},
        RefusalNaming{"WithAnIndexOfAnotherList",
                      [](std::size_t index) {
                        return fmt::format(
                            R"({{"errors":[{{"index":{},"columns":[{{"index":1}}]}}]}})", index);
                      }},
        RefusalNaming{"AmongTheResultsOfAll",
                      [](std::size_t) {
                        return std::string(
                            R"({"results":[{"index":0,"valid":true},{"index":1},)"
                            R"({"index":2,"valid":false},{"index":3,"valid":true}]})");
                      }}),
    [](const auto& one) { return std::string(one.param.name); });

TEST_P(NamedOtherwise, IsFoundAndNoOtherIsSetAside) {
  for (int id = 1; id <= 4; ++id)
    order(id, kBegin - hours{1}, id == 3 ? "bad" : "Jo");
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    const auto bad = request.body.find("\"bad\"");
    if (request.method != "POST" || bad == std::string::npos) return send();
    std::size_t index = 0;
    for (auto at = request.body.find("\"Email\""); at < bad; ++index)
      at = request.body.find("\"Email\"", at + 1);
    return service::Exchange{
        service::Response{422, {{"content-type", "application/json"}}, GetParam().body(index - 1)}};
  };
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(kBegin + minutes{30});
  EXPECT_EQ(mailed(), (std::map<std::string, int>{{"1", 1}, {"2", 1}, {"4", 1}}));
  const auto set_aside = crm::Ledger(*crm_).list("orders", State::quarantined, 10);
  ASSERT_EQ(set_aside.size(), 1u);
  EXPECT_EQ(set_aside.front().key, "3");
}

TEST_F(Poison, ManyThatAreNamedDoNotStopThePush) {
  for (int id = 1; id <= 40; ++id)
    order(id, kBegin - hours{1}, id <= 12 ? "bad" : "Jo");
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    std::string named;
    std::size_t index = 0;
    for (auto at = request.body.find("\"Email\""); at != std::string::npos; ++index) {
      const auto next = request.body.find("\"Email\"", at + 1);
      const auto bad = request.body.find("\"bad\"", at);
      if (bad < next) named += fmt::format(R"({}{{"index":{}}})", named.empty() ? "" : ",", index);
      at = next;
    }
    if (request.method != "POST" || named.empty()) return send();
    return service::Exchange{service::Response{422, {}, R"({"errors":[)" + named + "]}"}};
  };
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(kBegin + minutes{2});
  EXPECT_EQ(mailed().size(), 28u);
  EXPECT_EQ(crm::Ledger(*crm_).list("orders", State::quarantined, 20).size(), 12u);
}

// When nobody of a part may be mailed any more, the next part goes.
TEST_F(Poison, APartWhoseWholeNumberIsForgottenIsNotAskedForAgainForEver) {
  for (int id = 1; id <= 4; ++id)
    order(id, kBegin - hours{1}, id == 4 ? "bad" : "Jo");
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (request.method == "POST") forget({"person1@example.test", "person2@example.test"});
    return refuse_bad(request, send);
  };
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(kBegin + minutes{10}, 1000);
  EXPECT_EQ(mailed(), (std::map<std::string, int>{{"3", 1}}));
  EXPECT_EQ(crm::Ledger(*crm_).list("orders", State::suppressed, 10).size(), 2u);
}

TEST_F(Poison, ARefusedRowThatTheCrmRepairsGoesOutOnce) {
  order(1, kBegin - hours{1}, "bad");
  order(2, kBegin - hours{1});
  outside_.on_exchange = refuse_bad;
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(kBegin + minutes{10});
  ASSERT_EQ(state("1"), State::quarantined);
  const auto attempts = crm::Ledger(*crm_).find("orders", "1")->attempts;
  bridge.run_until(kBegin + minutes{20});
  EXPECT_EQ(crm::Ledger(*crm_).find("orders", "1")->attempts, attempts) << "the row is the same";
  crm_->execute({"UPDATE orders SET name = 'good' WHERE id = 1", {}});
  bridge.run_until(kBegin + minutes{40});
  EXPECT_EQ(mailed(), (std::map<std::string, int>{{"1", 1}, {"2", 1}}));
}

TEST_F(Poison, AServiceThatRefusesEverythingDoesNotEmptyTheTableIntoQuarantine) {
  for (int id = 1; id <= 60; ++id)
    order(id, kBegin - hours{1}, "bad");
  outside_.on_exchange = refuse_bad;
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(kBegin + minutes{4});
  EXPECT_LE(crm::Ledger(*crm_).list("orders", State::quarantined, 100).size(), 5u);
  EXPECT_TRUE(bridge.log().has("refuses one customer after the other"));
}

TEST_F(Poison, AnErrorThatNamesEveryRowAsksAPersonAndQuarantinesNobody) {
  for (int id = 1; id <= 1000; ++id)
    order(id, kBegin - hours{1});
  bool broken = true;
  int adds = 0;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (request.method != "POST" || !broken) return send();
    ++adds;
    std::string body = R"({"Message":"m","ModelState":{)";
    for (int i = 0; i < 200; ++i)
      body += (i ? "," : "") + std::string("\"request.Customers[") + std::to_string(i) +
              "].Data\":[\"bad\"]";
    return service::Exchange{
        service::Response{400, {{"content-type", "application/json"}}, body + "}}"}};
  };
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(kBegin + minutes{30});
  crm::Ledger ledger(*crm_);
  EXPECT_EQ(ledger.list("orders", State::quarantined, 2000).size(), 0u);
  EXPECT_EQ(adds, 1) << "nothing more goes out before a person says so";
  EXPECT_TRUE(bridge.log().has("the service refused 200 transactions within the hour"));
  broken = false;
  release(2000);
  bridge.run_until(kBegin + hours{1});
  EXPECT_EQ(mailed().size(), 1000u);
}

// A gateway that reads the bodies answers 403 to one name.
class AGateway : public Whole {
 protected:
  void forbid_bad(int status, std::vector<std::pair<std::string, std::string>> headers = {}) {
    outside_.on_exchange = [=, this](const service::Request& request, const auto& send) {
      adds_ += request.method == "POST" ? 1 : 0;
      const bool bad = forbids_ && request.body.find("\"bad\"") != std::string::npos;
      return bad ? service::Exchange{service::Response{status, headers, ""}} : send();
    };
  }
  int adds_ = 0;
  bool forbids_ = true;
};

TEST_F(AGateway, ThatForbidsOneRowHoldsThatRowAndNoOther) {
  for (int id = 1; id <= 40; ++id)
    order(id, kBegin - hours{1}, id == 1 ? "bad" : "Jo");
  forbid_bad(403);
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(kBegin + minutes{5});
  EXPECT_EQ(mailed().size(), 39u);
  order(41, kBegin + minutes{5});
  bridge.run_until(kBegin + minutes{30});
  const auto held = crm::Ledger(*crm_).list("orders", State::held, 10);
  ASSERT_EQ(held.size(), 1u);
  EXPECT_TRUE(held[0].reason.starts_with("the service forbids it (403): sent alone "))
      << held[0].reason;
  order(42, kBegin + minutes{29});
  bridge.run_until(kBegin + minutes{40});
  EXPECT_EQ(mailed().size(), 41u) << "the push goes on";
}

TEST_F(AGateway, ThatForbidsOneRowAndAsksToWaitHoldsThatRowAndNoOther) {
  for (int id = 1; id <= 40; ++id)
    order(id, kBegin - hours{1}, id == 1 ? "bad" : "Jo");
  forbid_bad(403, {{"retry-after", "60"}});
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(kBegin + hours{1});
  EXPECT_EQ(mailed().size(), 39u);
  for (int id = 41; id <= 43; ++id) {
    order(id, clock_.now);
    bridge.run_until(clock_.now + hours{1});
  }
  EXPECT_EQ(mailed().size(), 42u);
  const auto held = crm::Ledger(*crm_).list("orders", State::held, 10);
  ASSERT_EQ(held.size(), 1u);
  EXPECT_EQ(held[0].key, "1");
}

// It is the rate's, as a 429 would be: the batch stays whole.
TEST_F(AGateway, ThatAsksToWaitThreeTimesDividesNoBatch) {
  for (int id = 1; id <= 40; ++id)
    order(id, kBegin - hours{1}, "bad");
  forbid_bad(403, {{"retry-after", "60"}});
  in_process::Instance bridge(settings_, outside_, 7);
  while (adds_ < 3)
    bridge.step();
  forbids_ = false;
  bridge.run_until(kBegin + hours{1});
  EXPECT_EQ(mailed().size(), 40u);
  EXPECT_EQ(adds_, 4);
}

// Nothing was accepted after the first refusal: the firewall may block everything.
TEST_F(AGateway, ThatForbidsTheOnlyRowHoldsNobody) {
  order(1, kBegin - hours{1}, "bad");
  forbid_bad(403);
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(kBegin + hours{3});
  EXPECT_EQ(crm::Ledger(*crm_).list("orders", State::held, 10).size(), 0u);
  EXPECT_LE(adds_, 25);
  EXPECT_TRUE(bridge.log().has("the service forbids 1 row (403), sent again at intervals"));
  forbids_ = false;
  bridge.run_until(kBegin + hours{3} + minutes{20});
  EXPECT_EQ(mailed().count("1"), 1u);
}

TEST_F(AGateway, ThatForbidsARowIsAskedAgainWhenAPersonWantsItNow) {
  order(1, kBegin - hours{1}, "bad");
  forbid_bad(403);
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(kBegin + minutes{30});
  forbids_ = false;
  for (const auto& job : bridge.jobs()) {
    if (job->name() != "push.orders") continue;
    job->make_due();
    for (int i = 0; i < 10; ++i)
      job->step(clock_.now);
  }
  EXPECT_EQ(mailed().count("1"), 1u);
}

TEST_F(AGateway, ThatForbidsEverythingForAMinuteHoldsNobody) {
  for (int id = 1; id <= 200; ++id)
    order(id, kBegin - hours{1}, "bad");
  forbid_bad(403);
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(kBegin + minutes{1});
  EXPECT_LE(adds_, 15) << "halving hurries";
  EXPECT_GE(adds_, 8);
  forbids_ = false;
  bridge.run_until(kBegin + minutes{10});
  EXPECT_EQ(mailed().size(), 200u);
  EXPECT_EQ(crm::Ledger(*crm_).list("orders", State::held, 10).size(), 0u);
}

TEST_F(AGateway, ThatForbidsEverythingLetsThePushTryAtIntervalsAndHoldsNobody) {
  for (int id = 1; id <= 200; ++id)
    order(id, kBegin - hours{1}, "bad");
  forbid_bad(403);
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(kBegin + hours{3});
  EXPECT_LE(adds_, 70);
  EXPECT_EQ(crm::Ledger(*crm_).list("orders", State::held, 10).size(), 0u);
  EXPECT_EQ(crm::Ledger(*crm_).list("orders", State::pending, 1000).size(), 200u);
  EXPECT_TRUE(bridge.log().has("forbidden: HTTP 403; nothing that is sent is accepted"));
  forbids_ = false;
  bridge.run_until(kBegin + hours{3} + minutes{20});
  EXPECT_EQ(mailed().size(), 200u) << "by itself, once it is over";
}

// Twelve refusals in a row come before the first row that it does not forbid.
TEST_F(AGateway, ThatForbidsHalfOfABatchLetsTheOthersAndTheLaterRowsGo) {
  for (int id = 1; id <= 200; ++id)
    order(id, kBegin - hours{1}, id <= 101 ? "bad" : "Jo");
  forbid_bad(403);
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(kBegin + hours{1});
  for (int id = 201; id <= 210; ++id)
    order(id, kBegin + hours{1});
  bridge.run_until(kBegin + hours{24});
  EXPECT_EQ(mailed().size(), 109u);
  for (const auto& entry : crm::Ledger(*crm_).list("orders", State::held, 1000))
    EXPECT_LE(std::stoi(entry.key), 101);
}

TEST_F(AGateway, ThatBreaksOnOneRowHoldsThatRowAndLetsTheOthersGo) {
  settings_.pushes.at(0).doubt = config::Push::Doubt::resend;
  settings_.pushes.at(0).settle = minutes{1};
  settings_.pushes.at(0).look_back = hours{24 * 20};
  order(900, kBegin - hours{2});
  in_process::Instance first(settings_, outside_, 6);
  first.run_until(kBegin + minutes{2});
  first.leave();
  for (int id = 1; id <= 16; ++id)
    order(id, kBegin - hours{1}, id == 1 ? "bad" : "Jo");
  forbid_bad(500);
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(kBegin + hours{24});
  EXPECT_EQ(mailed().size(), 16u);
  const auto held = crm::Ledger(*crm_).list("orders", State::held, 10);
  ASSERT_EQ(held.size(), 1u);
  EXPECT_NE(held[0].reason.find("500"), std::string::npos) << held[0].reason;
}

class LateCommit : public Whole {};

TEST_F(LateCommit, ATransactionTwoHoursOlderThanOneAlreadySentGoesOutOnce) {
  order(1, kBegin - minutes{5});
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(kBegin + minutes{10});
  EXPECT_EQ(mailed().count("1"), 1u);
  order(2, kBegin - hours{2});
  bridge.run_until(kBegin + hours{3});
  EXPECT_EQ(mailed(), (std::map<std::string, int>{{"1", 1}, {"2", 1}}));
}

TEST_F(Whole, AKeyIsMailedOnceEvenWhenItsRowChanges) {
  order(1, kBegin - hours{1});
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(kBegin + minutes{5});
  crm_->execute({"UPDATE orders SET delivered_at = :p1, name = 'Else', email = 'x@e.test'",
                 {mapping::write_instant(kBegin + minutes{6})}});
  bridge.run_until(kBegin + hours{1});
  EXPECT_EQ(mailed()["1"], 1);
}

}  // namespace
