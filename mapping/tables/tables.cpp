#include "mapping/tables/tables.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "mapping/tables/layout.hpp"
#include "mapping/values/dates.hpp"
#include "mapping/values/name_uuid.hpp"

namespace surveybridge::mapping {

namespace {

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

// What a leaf holds in a record; Null where an object on the way is absent.
Value value_at(const Record& record, const Leaf& leaf) {
  const Record* object = &record;
  for (std::size_t i = 0; i + 1 < leaf.way.size(); ++i) {
    const auto& records = object->slots[leaf.way[i]].records;
    if (records.empty()) return Null{};
    object = &records.front();
  }
  return object->slots[leaf.way.back()].value;
}

Value cell_of(const Record& record, const Leaf& leaf) {
  Value value = value_at(record, leaf);
  const auto* choice = std::get_if<Enumerator>(&value);
  if (!choice || leaf.part == Leaf::Part::whole) return value;
  if (leaf.part == Leaf::Part::number) return choice->number ? Value{*choice->number} : Null{};
  return choice->name.empty() ? Value{Null{}} : choice->name;
}

// Takes one record apart into the rows of its tables.
struct Taking {
  const Plan& plan;
  std::vector<TableRows>& out;

  // `with_key`: the row begins with the key; else the key comes from a field.
  void add(std::size_t at, const Record& record, const std::vector<Value>& key, bool with_key) {
    const Layout& layout = plan.layouts[at];
    std::vector<Value> row;
    row.reserve(plan.tables[at].columns.size());
    if (with_key) row.assign(key.begin(), key.end());
    for (const Leaf& leaf : layout.leaves)
      row.push_back(cell_of(record, leaf));
    out[at].rows.push_back(std::move(row));
    for (const Layout::Child& child : layout.children)
      add_items(child, record, key);
  }

  void add_items(const Layout::Child& child, const Record& parent, const std::vector<Value>& key) {
    const auto& items = parent.slots[child.slot].records;
    if (items.empty()) return;
    std::vector<Value> item_key = key;
    item_key.emplace_back(std::int64_t{0});
    std::int64_t position = 0;
    for (const Record& item : items) {
      item_key.back() = position++;
      add(child.layout, item, item_key, true);
    }
  }
};

// A part of a made key. The length in front keeps "ab","c" apart from "a","bc".
std::string part(const Value& value) {
  std::string text;
  if (const auto* known = std::get_if<std::string>(&value)) text = *known;
  if (const auto* number = std::get_if<std::int64_t>(&value)) text = std::to_string(*number);
  if (const auto* instant = std::get_if<Instant>(&value)) text = write_instant(*instant);
  return fmt::format("{}:{},", text.size(), text);
}

// Encrypted anew at every reading, perhaps: such a value says nothing lasting.
std::string data_part(const Record& item) {
  const bool encrypted = item.value("IsEncrypted") == Value{true};
  return part(item.value("CustomerDataColumnId")) + part(item.value("Name")) +
         part(encrypted ? Null{} : item.value("Value"));
}

// A bouncer has no id: what of it does not change is written down here, apart from the codec, for
// the key of what is stored must outlive any change of that.
std::string bouncer_key(const Record& bouncer) {
  std::string name = "bouncer;";
  for (const std::string_view field : {"Email", "DateSent", "TransactionDate"}) {
    name += part(bouncer.value(field));
  }
  std::vector<std::string> data;
  for (const Record& item : bouncer.at("Data").records)
    data.push_back(data_part(item));
  std::ranges::sort(data);
  for (const std::string& item : data)
    name += item;
  return name_uuid(name);
}

}  // namespace

const std::vector<Table>& tables_of(const Resource& root) {
  return plan_of(root).tables;
}

std::vector<TableRows> rows_of(const Resource& root, std::span<const Record> records,
                               Instant changed_at, std::span<const std::string> digests) {
  const Plan& plan = plan_of(root);
  std::vector<TableRows> out;
  for (const Table& table : plan.tables)
    out.push_back({&table, {}});
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Record& record = records[i];
    const std::vector<Value> key = {key_of(record)};
    const bool made_key = plan.layouts.front().made_key;
    Taking{plan, out}.add(0, record, key, made_key);
    out.front().rows.back().emplace_back(digests.empty() ? digest_of(record) : digests[i]);
    out.front().rows.back().emplace_back(changed_at);
  }
  return out;
}

Value key_of(const Record& record) {
  const Plan& plan = plan_of(*record.resource);
  if (plan.layouts.front().made_key) return bouncer_key(record);
  const Value& key = record.slots[0].value;
  if (is_null(key)) {
    throw std::invalid_argument(fmt::format("the service sent a {} without {}",
                                            record.resource->name,
                                            record.resource->fields.front().name));
  }
  return key;
}

std::string snake_case(std::string_view name) {
  std::string snake;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool ends_run = i + 1 < name.size() && !is_upper(name[i + 1]);
    const bool word = is_upper(name[i]) && i > 0 && (!is_upper(name[i - 1]) || ends_run);
    if (word) snake += '_';
    snake += is_upper(name[i]) ? static_cast<char>(name[i] - 'A' + 'a') : name[i];
  }
  return snake;
}

}  // namespace surveybridge::mapping
