// An instant of the service as a date in the CRM, from the configuration to the cell.
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;

constexpr const char* kWriteBack = R"(
[service]
base_url = "http://127.0.0.1:1"
[service.auth]
kind = "none"
[crm]
connection = "sqlite3:///unused"
time_zone = "Europe/Amsterdam"
[push.orders]
brake = false
query = "SELECT id, email, delivered_at FROM orders"
key = "id"
when = "delivered_at"
start = 2026-11-01
correlate = "OrderNumber"
[push.orders.customer]
Email = "email"
TransactionDate = "delivered_at"
[push.orders.customer.Data]
OrderNumber = "id"
[pull.customers]
from = 2026-11-01
by = "TransactionDate"
[[pull.customers.write]]
table = "orders"
match = { id = "Data[OrderNumber]" }
set = { told = "TransactionDate" }
)";

class WriteBack : public in_process::Shop {};

TEST_F(WriteBack, WritesTheDayThatItWasInTheCrmsZone) {
  settings_ = in_process::settings_of(kWriteBack);
  order("1");
  sql("UPDATE orders SET delivered_at = '2026-11-09T23:30:00Z'");  // the tenth in Amsterdam
  sql("ALTER TABLE orders ADD COLUMN told date");
  sync();
  sync();
  const auto told = crm_->query({"SELECT CAST(told AS text) FROM orders", {}}).rows.at(0).at(0);
  ASSERT_TRUE(std::holds_alternative<std::string>(told));
  EXPECT_EQ(std::get<std::string>(told).substr(0, 10), "2026-11-10");
}

}  // namespace
