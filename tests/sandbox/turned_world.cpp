#include "tests/sandbox/turned_world.hpp"

#include <gtest/gtest.h>

namespace sandbox {
namespace {

std::string encoded(const std::string& text) {
  std::string out;
  for (const char c : text) {
    constexpr char kHex[] = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', kHex[byte >> 4], kHex[byte & 15]};
  }
  return out;
}

}  // namespace

Reply TurnedWorld::send(std::string method, std::string target, std::string body) {
  Request request{std::move(method), std::move(target), {}, std::move(body)};
  request.headers = {{"Authorization", "Bearer sandbox-token"},
                     {"Content-Type", "application/json"}};
  return service.handle(request);
}

Json TurnedWorld::ask(const std::string& target) {
  const Reply reply = get(target);
  EXPECT_EQ(reply.status, 200) << target << '\n' << reply.body;
  return Json::parse(reply.body, nullptr, false);
}

std::vector<std::int64_t> TurnedWorld::ids(const std::string& query) {
  std::vector<std::int64_t> ids;
  std::string cursor;
  do {
    const Json page = ask("/external/api/v3/customer?" + query + "&Cursor=" + encoded(cursor));
    for (const Json& row : page.value("Customers", Json::array()))
      ids.push_back(row["Id"]);
    const Json next = page.value("NextCursor", Json());
    cursor = next.is_string() ? next.get<std::string>() : "";
  } while (!cursor.empty());
  return ids;
}

Json customer(const std::string& email, const std::string& order) {
  Json one = {{"Email", email}};
  if (!order.empty()) one["Data"] = {{{"CustomerDataColumnId", 1}, {"Value", order}}};
  return one;
}

Json batch(const std::vector<Json>& customers) {
  return {{"ApproveAutomatically", true}, {"Customers", customers}};
}

Json batch_of(int count) {
  std::vector<Json> customers;
  for (int i = 0; i < count; ++i) {
    customers.push_back(customer("c" + std::to_string(i) + "@example.test", std::to_string(i)));
  }
  return batch(customers);
}

Options still() {
  Options options;
  options.lives_speed = 0;
  return options;
}

std::vector<std::string> places(const Reply& reply) {
  EXPECT_EQ(reply.status, 400) << reply.body;
  std::vector<std::string> found;
  const Json body = Json::parse(reply.body, nullptr, false);
  if (!body.is_object() || !body.contains("ModelState")) return found;
  for (const auto& [place, messages] : body["ModelState"].items())
    found.push_back(place);
  return found;
}

}  // namespace sandbox
