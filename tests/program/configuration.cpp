#include "tests/program/configuration.hpp"

#include <stdexcept>

namespace program {
namespace {

constexpr const char* kConfiguration = R"(
[service]
base_url  = "@BASE_URL@"
time_zone = "Europe/Amsterdam"
timeout   = "20s"

[service.auth]
kind  = "bearer"
token = { env = "BRIDGE_TOKEN" }

[service.pace]
max_in_flight  = 8
max_per_second = 1000

[service.enumerations]
FormStatus   = { 0 = "None", 1 = "New", 2 = "InProgress", 3 = "Closed" }
ReviewStatus = { 0 = "None", 1 = "Pending", 2 = "Approved", 3 = "Rejected" }
Sentiment    = { 0 = "Negative", 1 = "Neutral", 2 = "Positive" }
Type         = { 0 = "InteractionByUser", 1 = "InteractionBySystem" }

[crm]
connection = "@CONNECTION@"
time_zone  = "Europe/Amsterdam"
[push.orders]
brake = false
every     = "1s"
query     = "SELECT * FROM orders"
key       = "id"
when      = "delivered_at"
start     = 2025-01-01
look_back = "3650d"
correlate = "OrderNumber"
settle    = "5s"

[push.orders.batch]
size                 = 100
ApproveAutomatically = true
BatchName            = "orders"

[push.orders.customer]
Email           = { column = "email", trim = true, required = true }
PhoneNumber     = "phone"
TransactionDate = "delivered_at"
SendDate        = { column = "delivered_at", plus = "1d", at = "10:00" }
Priority        = "priority"

[push.orders.customer.Data]
OrderNumber = "id"
FirstName   = { column = "first_name", trim = true, default = "customer" }
LastName    = "last_name"
Product     = "amount"

[[push.orders.customer.Answers]]
BaseQuestionId         = 1200
Text                   = "remark"
SelectedScalePositions = [{ Value = "grade" }]

[pull.customers]
every   = "1s"
from    = 2025-01-01
by      = "LastActivityDate"
overlap = "1h"

[[pull.customers.write]]
table = "orders"
match = { id = "Data[OrderNumber]" }
set   = { survey_status = "Status.StatusName", survey_score = "Answers[1200].SelectedScalePositions[0].Value" }

[pull.ratings]
every = "1s"
from  = 2025-01-01

[pull.bouncers]
every     = "1s"
look_back = "3650d"
)";

}  // namespace

std::string configuration(const std::string& connection, const std::string& base_url) {
  return replaced(replaced(kConfiguration, "@BASE_URL@", base_url), "@CONNECTION@", connection);
}

std::string with_page(const std::string& text, int port, const std::string& more) {
  return text + "\n[status]\nlisten = \"127.0.0.1:" + std::to_string(port) + "\"\n" + more;
}

std::string replaced(std::string text, const std::string& old, const std::string& with) {
  auto at = text.find(old);
  if (at == std::string::npos) throw std::invalid_argument("no \"" + old + "\" to replace");
  for (; at != std::string::npos; at = text.find(old, at + with.size()))
    text.replace(at, old.size(), with);
  return text;
}

}  // namespace program
