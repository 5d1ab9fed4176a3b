// A store where every transaction is SERIALIZABLE, as distributed databases that speak PostgreSQL
// have it: two daemons push 20,000 orders, once both have begun, and whatever cannot be serialized
// is done again.
#include <iostream>

#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"

namespace program {
namespace {

constexpr int kRows = 20'000, kSome = 1'000;

TEST(SerializableStore, IsSharedByTwoDaemons) {
  support::PostgresServer server;
  Crm crm(server);
  int orders = 0;
  const auto order = [&](int more) {
    crm.execute(
        "INSERT INTO orders (id, email, first_name, last_name, phone, amount, delivered_at,"
        " priority) SELECT n, 'person' || n || '@example.test', 'Ann', 'Example', '1', 1,"
        " TIMESTAMP '2026-10-01' + n * INTERVAL '1 second', 1 FROM generate_series(" +
        std::to_string(orders + 1) + ", " + std::to_string(orders + more) + ") AS n");
    orders += more;
  };
  order(kSome);
  const std::string name = crm.cell("SELECT current_database()");
  crm.execute("ALTER DATABASE " + name + " SET default_transaction_isolation = 'serializable'");
  SandboxProgram sandbox({"--speed", "0"});
  const support::TemporaryFolder folder;
  const std::string text = configuration(crm.connection(), sandbox.url());
  const std::string config = folder.write("bridge.toml", text);
  const auto sent = [&] {
    return crm.cell("SELECT count(*) FROM survey_push WHERE state = 'sent'") ==
           std::to_string(orders);
  };
  const auto both_have_sent = [&] {
    const bool both = crm.cell("SELECT count(DISTINCT owner) FROM survey_batch") == "2";
    if (!both && orders < kRows && sent()) order(kSome);
    return both;
  };
  {
    Daemon one(config), two(config);
    ASSERT_TRUE(one.until([&] {
      return crm.cell("SELECT count(*) FROM pg_tables WHERE tablename = 'survey_push'") == "1";
    }));
    EXPECT_TRUE(one.until(both_have_sent));
    order(kRows - orders);
    EXPECT_TRUE(one.until(sent));
    EXPECT_EQ(one.stop(), 0);
    EXPECT_EQ(two.stop(), 0);
  }
  EXPECT_TRUE(sent());
  const auto customers = sandbox.customers();
  std::set<std::string> numbers;
  for (const auto& customer : customers)
    numbers.insert(customer.at("data").at("OrderNumber"));
  EXPECT_EQ(customers.size(), static_cast<std::size_t>(kRows)) << "none twice";
  EXPECT_EQ(numbers.size(), customers.size()) << "none forgotten";
  const std::string retries =
      crm.cell("SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()");
  EXPECT_NE(retries, "0") << "or nothing has met";
  std::cout << retries << " transactions were rolled back and done again\n";
}

}  // namespace
}  // namespace program
