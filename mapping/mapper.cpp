#include "mapping/mapper.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "mapping/address.hpp"
#include "mapping/coerce.hpp"
#include "mapping/compile.hpp"
#include "mapping/dates.hpp"
#include "mapping/text.hpp"

namespace surveybridge::mapping {

namespace {

using std::chrono::days;

// An object under way. Do columns give it anything at all?
struct Draft {
  Record record;
  bool asks = false;     // some column was read for it
  bool carries = false;  // and one of them held something, or had a default
  bool is_void() const { return asks && !carries; }
};
using Drafted = std::variant<Draft, Unmappable>;

using Found = std::variant<Value, Unmappable>;

// What it takes besides the row.
struct Means {
  const std::string& zone;
  const FileReader& read_file;
};

Unmappable because(const Origin& origin, std::string_view rule) {
  return {fmt::format("{}: {}", origin.place, rule)};
}

// The cell, trimmed; empty text is null.
Value cell_of(const Origin& origin, const Row& row) {
  const Value& cell = row.cells[*origin.column];
  const auto* text = std::get_if<std::string>(&cell);
  if (!text) return cell;
  const std::string_view kept = origin.trim ? trimmed(*text) : std::string_view{*text};
  if (kept.empty()) return Null{};
  return std::string{kept};
}

// Whole days go by the calendar, so that a time of day survives a change of the clocks; all else
// is elapsed time.
Value shifted(Instant instant, const Origin& origin, const std::string& zone) {
  const bool calendar = origin.plus % days{1} == config::Duration{0};
  if (!calendar) instant += origin.plus;
  if (!origin.at && (!calendar || origin.plus.count() == 0)) return instant;
  LocalTime local = to_zone(instant, zone);
  if (calendar) local += origin.plus;
  if (origin.at) local = std::chrono::floor<days>(local) + *origin.at;
  return local;
}

Found finished(Value value, const Origin& origin, const std::string& zone) {
  if (const auto* instant = std::get_if<Instant>(&value)) {
    // Into an instant, and within the years, once more: plus may lead out of them.
    Coerced moved = coerce(shifted(*instant, origin, zone), origin.type, zone);
    if (const auto* misfit = std::get_if<Misfit>(&moved)) return because(origin, misfit->rule);
    return std::get<Value>(std::move(moved));
  }
  auto* text = std::get_if<std::string>(&value);
  if (text && origin.max_length)
    return std::string{first_characters(*text, static_cast<std::size_t>(*origin.max_length))};
  if (text && origin.address) {
    if (const auto fault = fault_in_address(*text))
      return because(origin, fmt::format("not an address: {}", *fault));
  }
  return value;
}

std::string missing(const Origin& origin, std::string_view by) {
  return fmt::format("required{}, the column \"{}\" is null or empty", by, origin.column_name);
}

Coerced file_named(const Value& cell, const Origin& origin, const Means& means) {
  if (is_null(cell)) return Null{};
  const auto* name = std::get_if<std::string>(&cell);
  if (!name) return Misfit{"not the name of a file"};
  if (!means.read_file) return Misfit{"no files are read here"};
  return means.read_file(origin.folder, *name, origin.max_bytes);
}

Coerced cell_as_wanted(const Origin& origin, const Row& row, const Means& means) {
  if (!origin.column) return origin.constant;
  const Value cell = cell_of(origin, row);
  Coerced coerced = origin.folder.empty() ? coerce(cell, origin.type, means.zone)
                                          : file_named(cell, origin, means);
  const auto* value = std::get_if<Value>(&coerced);
  const auto* bytes = value ? std::get_if<Bytes>(value) : nullptr;
  if (bytes && bytes->bytes.size() > origin.max_bytes)
    return Misfit{fmt::format("larger than {} bytes", origin.max_bytes)};
  return coerced;
}

Found value_of(const Origin& origin, const Row& row, const Means& means) {
  Coerced coerced = cell_as_wanted(origin, row, means);
  if (const auto* misfit = std::get_if<Misfit>(&coerced)) return because(origin, misfit->rule);
  Value& value = std::get<Value>(coerced);
  if (is_null(value)) value = origin.fallback;
  if (is_null(value) && origin.required) return because(origin, missing(origin, ""));
  return finished(std::move(value), origin, means.zone);
}

Drafted draft(const Resource& shape, const std::vector<Rule>& rules, const Row& row,
              const Means& means);

// The values of a scalar field or a list of scalars. Nothing: all went well.
std::optional<Unmappable> add_values(Draft& to, const Rule& rule, const Row& row,
                                     const Means& means) {
  Slot& slot = to.record.slots[rule.slot];
  for (const Origin& origin : rule.origins) {
    Found found = value_of(origin, row, means);
    if (auto* unmappable = std::get_if<Unmappable>(&found)) return std::move(*unmappable);
    Value& value = std::get<Value>(found);
    to.asks = to.asks || origin.column;
    if (is_null(value)) continue;
    to.carries = to.carries || origin.column;
    if (rule.field->list) {
      slot.values.push_back(std::move(value));
    } else {
      slot.value = std::move(value);
    }
  }
  return {};
}

std::optional<Unmappable> add_items(Draft& to, const Rule& rule, const Row& row,
                                    const Means& means) {
  Slot& slot = to.record.slots[rule.slot];
  for (const std::vector<Rule>& rules : rule.items) {
    Drafted drafted = draft(*rule.field->of, rules, row, means);
    if (auto* unmappable = std::get_if<Unmappable>(&drafted)) return std::move(*unmappable);
    Draft& item = std::get<Draft>(drafted);
    to.asks = to.asks || item.asks;
    to.carries = to.carries || item.carries;
    if (!item.is_void()) slot.records.push_back(std::move(item.record));
  }
  return {};
}

Drafted draft(const Resource& shape, const std::vector<Rule>& rules, const Row& row,
              const Means& means) {
  Draft to{Record(shape)};
  for (const Rule& rule : rules) {
    auto unmappable = rule.field->type == Type::object ? add_items(to, rule, row, means)
                                                       : add_values(to, rule, row, means);
    if (unmappable) return std::move(*unmappable);
  }
  return to;
}

Found data_value(const DataRule& rule, const Row& row, const Means& means) {
  if (rule.origin) return value_of(*rule.origin, row, means);
  Coerced key = coerce(row.key, Type::text, means.zone);
  if (const auto* misfit = std::get_if<Misfit>(&key))
    return Unmappable{fmt::format("Data[{}]: the key is {}", rule.name, misfit->rule)};
  return std::get<Value>(std::move(key));
}

// The service finds a column by its id; the name goes out only where the id is not known.
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
                                   const Row& row, const Means& means) {
  for (const DataRule& rule : rules) {
    Found found = data_value(rule, row, means);
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
  mapper.zone_ = crm_zone;
  mapper.read_file_ = std::move(read_file);
  mapper.columns_ = columns.size();
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
  const Means means{zone_, read_file_};
  Drafted drafted = draft(import_customer(), rules_, row, means);
  if (auto* unmappable = std::get_if<Unmappable>(&drafted)) return std::move(*unmappable);
  Record& customer = std::get<Draft>(drafted).record;
  if (auto unmappable = add_data(customer, data_, row, means)) return std::move(*unmappable);
  return std::move(customer);
}

}  // namespace surveybridge::mapping
