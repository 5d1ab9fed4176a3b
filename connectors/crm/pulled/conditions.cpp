#include "connectors/crm/pulled/conditions.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "config/text.hpp"
#include "connectors/crm/pulled/column_conversion.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Record;
using mapping::Type;

struct AsValue {
  const std::string& zone;
  Value operator()(bool flag) const { return flag; }
  Value operator()(std::int64_t number) const { return number; }
  Value operator()(double number) const { return mapping::Decimal{fmt::format("{:f}", number)}; }
  Value operator()(const std::string& text) const { return text; }
  Value operator()(const config::Date& date) const {
    if (!date.offset) return mapping::in_zone(date.local, zone);
    return Instant{date.local.time_since_epoch() - *date.offset};
  }
};

bool is_within(double number, const config::Write::Bound& bound) {
  using Is = config::Write::Bound::Is;
  switch (bound.is) {
    case Is::below:
      return number < bound.number;
    case Is::at_most:
      return number <= bound.number;
    case Is::at_least:
      return number >= bound.number;
    case Is::above:
      return number > bound.number;
  }
  return false;
}

bool is_equal(const Value& value, const Value& is, const std::string& zone) {
  if (value == is) return true;
  if (mapping::is_null(value)) return is == Value{false};
  const auto text = column_text(value, zone);
  return text && text == column_text(is, zone);
}

// What is absent, or no number, is in no range.
bool is_met(const Condition& condition, const Record& record, const std::string& zone) {
  const Value value = condition.path.read(record);
  if (condition.bounds.empty())
    return std::ranges::any_of(condition.any_of,
                               [&](const Value& is) { return is_equal(value, is, zone); });
  const auto text = mapping::is_null(value) ? std::nullopt : column_text(value, zone);
  const auto number = text ? config::to_real(*text) : std::nullopt;
  return number && std::ranges::all_of(condition.bounds, [&](const auto& bound) {
           return is_within(*number, bound);
         });
}

}  // namespace

std::vector<Condition> compile_conditions(const std::vector<config::Write::Condition>& written,
                                          const mapping::Resource& root,
                                          const std::string& time_zone, const std::string& key,
                                          std::vector<config::Problem>& problems) {
  std::vector<Condition> all;
  for (const auto& condition : written) {
    auto path = mapping::Path::parse(condition.path, root);
    if (const auto* fault = std::get_if<std::string>(&path)) {
      problems.push_back({condition.place, key, fmt::format("\"{}\": {}", condition.path, *fault)});
      continue;
    }
    Condition made{std::get<mapping::Path>(std::move(path)), {}, condition.bounds};
    for (const auto& constant : condition.any_of)
      made.any_of.push_back(value_of_constant(constant, time_zone));
    const auto type = made.path.type();
    if (!made.bounds.empty() && type != Type::integer && type != Type::decimal &&
        type != Type::text)
      problems.push_back(
          {condition.place, key,
           fmt::format("\"{}\" is {}: a range is for numbers", condition.path, name_of(type))});
    all.push_back(std::move(made));
  }
  return all;
}

bool are_met(const std::vector<Condition>& conditions, const Record& record,
             const std::string& time_zone) {
  return std::ranges::all_of(
      conditions, [&](const Condition& condition) { return is_met(condition, record, time_zone); });
}

Value value_of_constant(const config::Constant& constant, const std::string& time_zone) {
  return std::visit(AsValue{time_zone}, constant);
}

std::optional<std::string> column_text(const Value& value, const std::string& time_zone) {
  const auto text = convert_to_column(value, ColumnKind::text, time_zone);
  const auto* known = text ? std::get_if<std::string>(&*text) : nullptr;
  return known == nullptr ? std::nullopt : std::optional(*known);
}

}  // namespace surveybridge::crm
