// A stand-in with a clock that the test sets, and short functions to use it. Owned by its test.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sandbox/service.hpp"

namespace sandbox {

using Json = nlohmann::json;
using namespace std::chrono_literals;

// 2026-03-02T12:00:00Z, a Monday.
inline constexpr TimePoint kStart{std::chrono::seconds(1772452800)};

struct TurnedWorld {
  explicit TurnedWorld(Options options = {})
      : service(std::move(options), [this] { return now; }) {}

  TimePoint now = kStart;
  Service service;

  Reply send(std::string method, std::string target, std::string body = "");
  Reply get(const std::string& target) { return send("GET", target); }
  // Posts a batch.
  Reply add(const Json& batch) { return send("POST", kAdd, batch.dump()); }
  // The body of a GET that must succeed.
  Json ask(const std::string& target);
  // The customers of a query: all pages, ids in order.
  std::vector<std::int64_t> ids(const std::string& query);

  static constexpr const char* kAdd = "/external/api/v3/customer/add";
};

inline const std::string kList = "/external/api/v3/customer";

// An ImportCustomer with this address and this order number.
Json customer(const std::string& email, const std::string& order = "");
// An approved batch of these.
Json batch(const std::vector<Json>& customers);
// A batch of `count` customers with the addresses c0@example.test and so on.
Json batch_of(int count);

// Options with which nothing happens to customers.
Options still();

// The places (keys of ModelState) of a refusal; fails the test if there is none.
std::vector<std::string> places(const Reply& reply);

}  // namespace sandbox
