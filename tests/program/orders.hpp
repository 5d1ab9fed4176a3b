// Orders of a CRM, each a transaction to be pushed, and what the service must hold of each. Worked
// out here without the bridge's mapping, so that a mistake there is seen.
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

// Of 2025, eight hours apart; from id `first` on.
std::vector<Order> orders(int count, std::int64_t first = 1);

// The customer as GET /sandbox/customers shows what was given (the members that the push maps).
nlohmann::json held(const Order& order);
// The same members of what the sandbox does show.
nlohmann::json held(const nlohmann::json& shown);

}  // namespace program
