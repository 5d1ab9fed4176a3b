#include "mapping/field_map/mapper.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "mapping/field_map/coerce.hpp"
#include "mapping/field_map/compile.hpp"
#include "mapping/field_map/value_rule.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::mapping {

namespace {

// An object that is being filled. Do columns give it anything?
struct Draft {
  Record record;
  bool asks = false;     // a column was read for it
  bool carries = false;  // and one of them had a value or a default
  bool is_void() const { return asks && !carries; }
};
using Drafted = std::variant<Draft, Unmappable>;

Drafted draft(const Resource& shape, const std::vector<Rule>& rules, const Row& row,
              const FileReader& read_file);

// The values of a scalar field or of a list of scalars. Nothing: no error.
std::optional<Unmappable> add_values(Draft& to, const Rule& rule, const Row& row,
                                     const FileReader& read_file) {
  Slot& slot = to.record.slots[rule.slot];
  for (const ValueRule& origin : rule.value_rules) {
    Found found = value_of(origin, row, read_file);
    if (auto* unmappable = std::get_if<Unmappable>(&found)) return std::move(*unmappable);
    Value& value = std::get<Value>(found);
    to.asks = to.asks || origin.reads();
    if (is_null(value)) continue;
    to.carries = to.carries || origin.reads();
    if (rule.field->list) {
      slot.values.push_back(std::move(value));
    } else {
      slot.value = std::move(value);
    }
  }
  return {};
}

std::optional<Unmappable> add_items(Draft& to, const Rule& rule, const Row& row,
                                    const FileReader& read_file) {
  Slot& slot = to.record.slots[rule.slot];
  for (const std::vector<Rule>& rules : rule.items) {
    Drafted drafted = draft(*rule.field->of, rules, row, read_file);
    if (auto* unmappable = std::get_if<Unmappable>(&drafted)) return std::move(*unmappable);
    Draft& item = std::get<Draft>(drafted);
    to.asks = to.asks || item.asks;
    to.carries = to.carries || item.carries;
    if (!item.is_void()) slot.records.push_back(std::move(item.record));
  }
  return {};
}

Drafted draft(const Resource& shape, const std::vector<Rule>& rules, const Row& row,
              const FileReader& read_file) {
  Draft to{Record(shape)};
  for (const Rule& rule : rules) {
    auto unmappable = rule.field->type == Type::object ? add_items(to, rule, row, read_file)
                                                       : add_values(to, rule, row, read_file);
    if (unmappable) return std::move(*unmappable);
  }
  return to;
}

Found data_value(const DataRule& rule, const Row& row) {
  if (rule.origin) return value_of(*rule.origin, row, {});
  Coerced key = coerce(row.key, Type::text, "UTC");
  if (const auto* misfit = std::get_if<ConversionError>(&key))
    return Unmappable{fmt::format("Data[{}]: the key is {}", rule.name, misfit->rule)};
  return std::get<Value>(std::move(key));
}

// The service finds a column by its id. The name is sent only where the id is not known.
Record data_item(const DataRule& rule, Value value) {
  Record item(customer_data());
  if (rule.id) {
    item.set("CustomerDataColumnId", *rule.id);
  } else {
    item.set("Name", rule.name);
  }
  item.set("Value", std::move(value));
  return item;
}

std::optional<Unmappable> add_data(Record& customer, const std::vector<DataRule>& rules,
                                   const Row& row) {
  for (const DataRule& rule : rules) {
    Found found = data_value(rule, row);
    if (auto* unmappable = std::get_if<Unmappable>(&found)) return std::move(*unmappable);
    Value& value = std::get<Value>(found);
    if (!is_null(value)) {
      customer.at("Data").records.push_back(data_item(rule, std::move(value)));
    } else if (rule.required) {
      return because(*rule.origin, missing(*rule.origin, " by the service"));
    }
  }
  return {};
}

void check_push(const config::Push& push, const Compiling& to) {
  const std::string key = "push." + push.name;
  const auto mapped = [](const config::FieldRule& rule) { return rule.field == "Email"; };
  if (std::ranges::none_of(push.customer.rules, mapped))
    to.problem(push.customer.place, key + ".customer", "Email is not mapped");
  for (const auto& [name, column] : {std::pair{".key", push.key}, std::pair{".when", push.when}}) {
    if (std::ranges::find(to.columns, column) == to.columns.end())
      to.problem(push.place, key + name,
                 fmt::format("the query has no column \"{}\"{}", column,
                             config::suggestion(column, to.columns)));
  }
}

}  // namespace

std::variant<Mapper, std::vector<config::Problem>> Mapper::make(
    const config::Push& push, const std::vector<std::string>& columns,
    const std::vector<DataColumn>& data_columns, const std::string& crm_zone,
    FileReader read_file) {
  std::vector<config::Problem> problems;
  if (!is_zone(crm_zone))
    return std::vector<config::Problem>{
        {push.place, "crm.time_zone", fmt::format("\"{}\" is no time zone", crm_zone)}};
  const Compiling to{columns, crm_zone, problems};
  Mapper mapper;
  check_push(push, to);
  mapper.rules_ =
      compile(push.customer, import_customer(), fmt::format("push.{}.customer", push.name), "", to);
  mapper.data_ = compile_data(push, data_columns, to);
  mapper.columns_ = columns.size();
  mapper.read_file_ = std::move(read_file);
  if (problems.empty()) return mapper;
  std::ranges::stable_sort(problems, {}, [](const config::Problem& problem) {
    return std::pair{problem.place.line, problem.place.column};
  });
  return problems;
}

Mapped Mapper::map(const Row& row) const {
  if (row.cells.size() != columns_)
    return Unmappable{
        fmt::format("the row has {} cells, the query {} columns", row.cells.size(), columns_)};
  Drafted drafted = draft(import_customer(), rules_, row, read_file_);
  if (auto* unmappable = std::get_if<Unmappable>(&drafted)) return std::move(*unmappable);
  Record& customer = std::get<Draft>(drafted).record;
  if (auto unmappable = add_data(customer, data_, row)) return std::move(*unmappable);
  return std::move(customer);
}

}  // namespace surveybridge::mapping
