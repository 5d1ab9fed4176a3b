#include "tests/program/orders.hpp"

#include <date/tz.h>
#include <fmt/format.h>

#include "tests/program/private_words.hpp"

namespace program {
namespace {

using std::chrono::microseconds;
using Local = std::chrono::local_time<microseconds>;
using nlohmann::json;

constexpr const char* kFirstNames[] = {"Zoë",      "Miguel Ángel", "O'Brien",
                                       "Łukasz 🚲", "Нина",         "A\"B\\C"};

// As the sandbox writes it: UTC, without zeros at the end of the fraction.
std::string utc(Local at) {
  const date::local_time<microseconds> local{at.time_since_epoch()};
  const auto sys = date::locate_zone("Europe/Amsterdam")->to_sys(local);
  std::string text = date::format("%FT%T", sys);
  text.resize(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  if (text.size() < 19) text.resize(19, '0');
  return text + "Z";
}

json or_null(const auto& value) {
  return value ? json(*value) : json(nullptr);
}

}  // namespace

std::vector<Order> orders(int count, std::int64_t first) {
  using namespace std::chrono;
  const Local begin{local_days{2025y / January / 1} + 17min + 25s + 123456us};
  std::vector<Order> all;
  for (std::int64_t id = first; id < first + count; ++id) {
    Order order;
    order.id = id;
    order.email = fmt::format("customer+{}@{}", id, kDomain);
    order.first_name = fmt::format("{} {}", kFirstNames[id % 6], kName);
    order.last_name = fmt::format("{}-{}", kName, id);
    order.phone = fmt::format("{} {:04}", "+31 6 0000", id % 10000);
    order.amount = fmt::format("{}.{:02}", id * 7, id % 100);
    order.delivered_at = begin + id * 8h + (id % 3 == 0 ? 0us : microseconds{id * 1000});
    if (id % 4 != 0) order.remark = fmt::format("{}: <{}> & a line\r\nmore", kRemark, id);
    if (id % 5 != 0) order.grade = static_cast<int>(id % 10) + 1;
    order.priority = static_cast<int>(id % 7);
    all.push_back(std::move(order));
  }
  return all;
}

json held(const Order& order) {
  const auto next_day = std::chrono::floor<std::chrono::days>(order.delivered_at) +
                        std::chrono::days{1} + std::chrono::hours{10};
  json answers = json::array();
  if (order.remark || order.grade) {
    json positions = json::array();
    if (order.grade) positions.push_back(*order.grade);
    answers.push_back({{"question", 1200}, {"text", or_null(order.remark)}, {"values", positions}});
  }
  return {{"email", order.email},
          {"phone_number", order.phone},
          {"transaction_date", utc(order.delivered_at)},
          {"send_date", utc(next_day)},
          {"priority", order.priority},
          {"data",
           {{"OrderNumber", std::to_string(order.id)},
            {"FirstName", order.first_name},
            {"LastName", order.last_name},
            {"Product", order.amount}}},
          {"answers", answers}};
}

json held(const json& shown) {
  json answers = json::array();
  for (const json& answer : shown.at("answers")) {
    json values = json::array();
    for (const json& position : answer.at("SelectedScalePositions"))
      values.push_back(position.at("Value"));
    answers.push_back({{"question", answer.at("BaseQuestionId")},
                       {"text", answer.at("Text")},
                       {"values", values}});
  }
  json out{{"answers", answers}};
  for (const char* name :
       {"email", "phone_number", "transaction_date", "send_date", "priority", "data"})
    out[name] = shown.at(name);
  return out;
}

}  // namespace program
