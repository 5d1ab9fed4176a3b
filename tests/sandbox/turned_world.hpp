// A stand-in with a clock that the test turns, and short ways to ask it. Owned by its test.
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
  // The customers that a query lists: all pages, ids in order.
  std::vector<std::int64_t> ids(const std::string& query);

  static constexpr const char* kAdd = "/external/api/v3/customer/add";
};

// An ImportCustomer with this address and this order number.
Json customer(const std::string& email, const std::string& order = "");
// An approved batch of these.
Json batch(const std::vector<Json>& customers);
// A batch of so many customers, their addresses c0@example.test on.
Json batch_of(int count);

// Options under which nothing happens to anybody.
Options still();

// Places (ModelState's keys) of a refusal; fails the test where it is none.
std::vector<std::string> places(const Reply& reply);

}  // namespace sandbox
