#include "mapping/field_map/mapper.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "config/clock.hpp"
#include "mapping/field_map/coerce.hpp"
#include "mapping/field_map/compile.hpp"
#include "mapping/field_map/rule.hpp"
#include "mapping/values/dates.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {

namespace {

// The one live column of that name, or a problem and nothing.
std::optional<DataColumn> resolve(const std::string& name, const config::TextPlace& place,
                                  const std::string& key, const std::vector<DataColumn>& known,
                                  const Compiling& to) {
  auto found = find_column(name, known);
  if (const auto* fault = std::get_if<std::string>(&found)) {
    to.problem(place, key, *fault);
    return {};
  }
  if (!std::get<DataColumn>(found).archived) return std::get<DataColumn>(std::move(found));
  to.problem(place, key, fmt::format("the data column \"{}\" is archived", name));
  return {};
}

void resolve_into(DataRule& rule, const config::TextPlace& place, const std::string& key,
                  const std::vector<DataColumn>& known, const Compiling& to) {
  if (known.empty()) return;
  const auto column = resolve(rule.name, place, key, known, to);
  if (!column) return;
  rule.id = column->id;
  rule.required = column->required;
}

bool same_column(const DataRule& a, const DataRule& b) {
  return a.id && b.id ? *a.id == *b.id : same_name(a.name, b.name);
}

// The key as it is, and nothing done to it?
bool is_key(const config::FieldSource& source, const std::string& key) {
  const bool changed = source.html || !source.split.empty() || source.trim || source.address ||
                       source.lower || source.upper || !source.meanings.empty() ||
                       source.number != config::FieldSource::Number::plain || source.boolean ||
                       !source.date.empty() || source.max_length || source.fallback;
  return source.column == key && !changed;
}

void check_required(const config::Push& push, const std::vector<DataRule>& rules,
                    const std::vector<DataColumn>& known, const Compiling& to) {
  for (const DataColumn& column : known) {
    const auto carries = [&](const DataRule& rule) {
      return rule.id == column.id || is_called(column, rule.name);
    };
    if (!column.required || column.archived || std::ranges::any_of(rules, carries)) continue;
    to.problem(
        push.customer.place, fmt::format("push.{}.customer.Data", push.name),
        fmt::format("the service requires the data column \"{}\" ({})", column.name, column.id));
  }
}

// The rule that carries the key; its problems are at the entry that maps it, if one does.
DataRule compile_correlate(const config::Push& push, const std::vector<DataColumn>& known,
                           const Compiling& to) {
  DataRule rule{{}, push.correlate, false, {}};
  config::TextPlace place = push.place;
  for (const config::DataRule& written : push.data) {
    if (same_name(written.column, push.correlate)) place = written.place;
  }
  resolve_into(rule, place, fmt::format("push.{}.correlate", push.name), known, to);
  return rule;
}

DataRule compile_entry(const config::Push& push, const config::DataRule& written,
                       const std::string& key, const std::vector<DataColumn>& known,
                       const Compiling& to) {
  DataRule rule{{}, written.column, false, {}};
  rule.origin =
      compile(written.source, Type::text, key, fmt::format("Data[{}]", written.column), to);
  if (!same_name(written.column, push.correlate)) resolve_into(rule, written.place, key, known, to);
  return rule;
}

// The rules of Data: first the one of `correlate`, which always carries the row's key. Without
// `known` columns (offline) nothing is resolved, so nothing is unknown or missing.
std::vector<DataRule> compile_data(const config::Push& push, const std::vector<DataColumn>& known,
                                   const Compiling& to) {
  std::vector<DataRule> rules;
  if (!push.correlate.empty()) rules.push_back(compile_correlate(push, known, to));
  for (const config::DataRule& written : push.data) {
    const std::string key = fmt::format("push.{}.customer.Data.{}", push.name, written.column);
    DataRule rule = compile_entry(push, written, key, known, to);
    const auto twin = std::ranges::find_if(
        rules, [&](const DataRule& other) { return same_column(rule, other); });
    if (twin == rules.end()) {
      rules.push_back(std::move(rule));
    } else if (twin->origin) {
      to.problem(written.place, key, "another entry maps the same data column");
    } else if (!is_key(written.source, push.key)) {
      to.problem(
          written.place, key,
          fmt::format(
              "carries the key: it must be the column \"{}\", which push.{}.key names, and no "
              "more",
              push.key, push.name));
    }
  }
  check_required(push, rules, known, to);
  return rules;
}

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

// Behind the last one where there is none; then no mapper is made.
std::size_t place_of(const std::string& name, const std::vector<std::string>& columns) {
  return static_cast<std::size_t>(std::ranges::find(columns, name) - columns.begin());
}

void check_push(const config::Push& push, const Compiling& to) {
  const std::string key = "push." + push.name;
  const auto mapped = [](const config::FieldRule& rule) { return rule.field == "Email"; };
  if (std::ranges::none_of(push.customer.rules, mapped))
    to.problem(push.customer.place, key + ".customer", "Email is not mapped");
  std::vector<std::pair<std::string, std::string>> named = {{".key", push.key},
                                                            {".when", push.when}};
  if (push.quota) named.emplace_back(".quota.column", push.quota->column);
  for (const auto& [name, column] : named) {
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
  if (!config::is_zone(crm_zone))
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
  for (const auto* source : sources_of(push))
    for (const auto& name : columns_of(*source))
      mapper.read_.push_back(place_of(name, columns));
  if (push.quota) {
    mapper.quota_ = place_of(push.quota->column, columns);
    mapper.quota_column_ = push.quota->column;
  }
  if (problems.empty()) return mapper;
  std::ranges::stable_sort(problems, {}, [](const config::Problem& problem) {
    return std::pair{problem.place.line, problem.place.column};
  });
  return problems;
}

std::vector<Value> Mapper::read_cells(const Row& row) const {
  std::vector<Value> cells;
  if (row.cells.size() != columns_) return cells;
  for (const std::size_t column : read_)
    cells.push_back(row.cells[column]);
  return cells;
}

std::optional<std::array<Value, 2>> Mapper::quota_cell(const Row& row) const {
  if (!quota_ || row.cells.size() != columns_) return std::nullopt;
  return std::array<Value, 2>{quota_column_, row.cells[*quota_]};
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
