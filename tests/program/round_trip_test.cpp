// A thousand orders go out and come back with the real programs over real sockets, on each
// database: each exactly once, each field right, and nothing a second time.
#include <map>

#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/program/tables.hpp"

namespace program {
namespace {

constexpr int kOrders = 1000;

// Customers live five million times faster than in reality: after this time nothing changes.
constexpr std::chrono::seconds kLife{3};

class RoundTrip : public testing::TestWithParam<Server> {
 public:
  RoundTrip() { crm_.insert(orders_); }

 protected:
  support::Finished sync(const Arguments& names = {}) {
    Arguments arguments{"sync", "-c", config_};
    arguments.insert(arguments.end(), names.begin(), names.end());
    return bridge(arguments);
  }
  // Pulls until every customer is finished, once more, and once for the names of enumerations.
  void pull_all() {
    const auto end = std::chrono::steady_clock::now() + kLife;
    while (std::chrono::steady_clock::now() < end)
      ASSERT_EQ(sync({"pull"}).status, 0);
    ASSERT_EQ(sync({"pull"}).status, 0);
    ASSERT_EQ(sync({"pull"}).status, 0);
  }

  Crm crm_{GetParam()};
  SandboxProgram sandbox_{{"--speed", "5000000"}};
  support::TemporaryFolder folder_;
  std::string config_ =
      folder_.write("bridge.toml", configuration(crm_.connection(), sandbox_.url()));
  std::vector<Order> orders_ = orders(kOrders);
};

// The service's customers by order number; fails if an order is there twice.
std::map<std::string, nlohmann::json> by_number(const std::vector<nlohmann::json>& customers) {
  std::map<std::string, nlohmann::json> found;
  for (const auto& customer : customers) {
    const std::string number = customer.at("data").at("OrderNumber");
    EXPECT_TRUE(found.emplace(number, held(customer)).second) << "twice: " << number;
  }
  return found;
}

TEST_P(RoundTrip, EveryOrderArrivesOnceWithEveryFieldRight) {
  const auto pushed = sync({"push"});
  ASSERT_EQ(pushed.status, 0) << pushed.out << pushed.err;
  const auto found = by_number(sandbox_.customers());
  EXPECT_EQ(found.size(), orders_.size());
  for (const Order& order : orders_) {
    const auto at = found.find(std::to_string(order.id));
    ASSERT_NE(at, found.end()) << order.id;
    ASSERT_EQ(at->second, held(order)) << nlohmann::json::diff(held(order), at->second);
  }
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_push WHERE state = 'sent'"), "1000");
  EXPECT_EQ(sandbox_.adds(), 10);
}

TEST_P(RoundTrip, TheTablesEqualWhatTheServiceListsAndStayAsTheyAre) {
  ASSERT_EQ(sync({"push"}).status, 0);
  pull_all();
  const ServiceLists lists(sandbox_.url());
  for (const auto& expected : lists.tables()) {
    EXPECT_EQ(first_difference(stored(crm_, expected), expected), "");
  }
  EXPECT_GT(lists.rows_in("survey_rating"), 100u) << "or there was nothing to compare";
  EXPECT_GT(lists.rows_in("survey_bouncer"), 10u);
  EXPECT_GT(lists.rows_in("survey_answer"), 1000u);
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM orders o JOIN survey_customer_data d ON d.name ="
                      " 'OrderNumber' AND d.value = CAST(o.id AS VARCHAR(20)) JOIN survey_customer"
                      " c ON c.id = d.customer_id WHERE c.status_name = o.survey_status"),
            "1000");

  const auto before = snapshot(crm_, GetParam());
  const auto adds = sandbox_.adds();
  const auto again = sync();
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(sandbox_.adds(), adds) << "a second sync sends nothing";
  EXPECT_EQ(snapshot(crm_, GetParam()), before) << "and rewrites nothing";
}

INSTANTIATE_TEST_SUITE_P(Databases, RoundTrip,
                         testing::Values(Server::postgresql, Server::odbc, Server::mariadb,
                                         Server::sqlite),
                         server_name);

}  // namespace
}  // namespace program
