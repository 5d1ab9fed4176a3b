#include "config/toml/node.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "config/wording.hpp"

namespace surveybridge::config {
namespace {

struct Describe {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return fmt::format("integer {}", value); }
  std::string operator()(double value) const { return fmt::format("number {}", value); }
  std::string operator()(const std::string& value) const { return quoted(value); }
  std::string operator()(const Date& date) const {
    const auto day = std::chrono::floor<std::chrono::days>(date.local);
    const std::chrono::year_month_day on(day);
    return fmt::format("date {:04}-{:02}-{:02}", static_cast<int>(on.year()),
                       static_cast<unsigned>(on.month()), static_cast<unsigned>(on.day()));
  }
  std::string operator()(const BareTime&) const { return "a time without quotes"; }
  std::string operator()(const Node::List&) const { return "a list"; }
  std::string operator()(const Node::Table&) const { return "a table"; }
};

}  // namespace

const Entry* find(const Node::Table& table, std::string_view key) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  return found == table.end() ? nullptr : &*found;
}

std::string described(const Node& node) {
  return std::visit(Describe{}, node.value);
}

}  // namespace surveybridge::config
