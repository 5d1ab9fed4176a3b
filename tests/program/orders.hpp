// Orders of a CRM, and the customer that the service must store for each. Computed without the
// bridge's mapping, so that an error there is found.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace program {

struct Order {
  std::int64_t id = 0;
  std::string email, first_name, last_name, phone;
  std::string amount;                                               // exact
  std::chrono::local_time<std::chrono::microseconds> delivered_at;  // in Amsterdam
  std::optional<std::string> remark;
  std::optional<int> grade;
  int priority = 0;
};

// Orders of 2025, eight hours apart, with ids from `first`.
std::vector<Order> orders(int count, std::int64_t first = 1);

// The expected customer, as GET /sandbox/customers shows it (the members that the push maps).
nlohmann::json held(const Order& order);
// The same members of a customer that the sandbox returned.
nlohmann::json held(const nlohmann::json& shown);

}  // namespace program
