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
const Value& value_at(const Record& record, const Leaf& leaf) {
  static const Value null = Null{};
  const Record* object = &record;
  for (std::size_t i = 0; i + 1 < leaf.way.size(); ++i) {
    const auto& records = object->slots[leaf.way[i]].records;
    if (records.empty()) return null;
    object = &records.front();
  }
  return object->slots[leaf.way.back()].value;
}

// A cell that held a text keeps its memory for the next one.
void set_cell(Value& cell, const Record& record, const Leaf& leaf) {
  const Value& value = value_at(record, leaf);
  const auto* choice = std::get_if<Enumerator>(&value);
  if (!choice || leaf.part == Leaf::Part::whole) {
    cell = value;
  } else if (leaf.part == Leaf::Part::number) {
    cell = choice->number ? Value{*choice->number} : Null{};
  } else {
    cell = choice->name.empty() ? Value{Null{}} : choice->name;
  }
}

// The lists on the way from a table to another: slot by slot. False: it is not below this one.
bool find_way(const Plan& plan, std::size_t from, std::size_t to, std::vector<std::size_t>& way) {
  if (from == to) return true;
  for (const Layout::Child& child : plan.layouts[from].children) {
    way.push_back(child.slot);
    if (find_way(plan, child.layout, to, way)) return true;
    way.pop_back();
  }
  return false;
}

// Gives the rows of one table of a record.
class Taking {
 public:
  Taking(const Plan& plan, std::size_t table, const RowSeen& seen)
      : layout_(plan.layouts[table]), seen_(seen), row_(plan.tables[table].columns.size()) {
    find_way(plan, 0, table, way_);
    keys_ = way_.empty() ? (layout_.made_key ? 1 : 0) : way_.size() + 1;
  }

  // What a root's row ends with, behind its fields.
  Value& from_the_end(std::size_t column) { return row_[row_.size() - column]; }

  void take(const Record& root, const Value& key) {
    if (keys_ > 0) row_.front() = key;
    descend(root, 0);
  }

 private:
  void descend(const Record& record, std::size_t depth) {
    if (depth == way_.size()) return give(record);
    std::int64_t position = 0;
    for (const Record& item : record.slots[way_[depth]].records) {
      row_[depth + 1] = position++;
      descend(item, depth + 1);
    }
  }

  void give(const Record& record) {
    std::size_t column = keys_;
    for (const Leaf& leaf : layout_.leaves)
      set_cell(row_[column++], record, leaf);
    seen_(row_);
  }

  const Layout& layout_;
  const RowSeen& seen_;
  std::vector<Value> row_;
  std::vector<std::size_t> way_;
  std::size_t keys_ = 0;  // leading columns that are no fields
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

void each_row(const Resource& root, std::size_t table, std::span<const Record> records,
              Instant changed_at, std::span<const std::string> digests, const RowSeen& seen) {
  Taking taking(plan_of(root), table, seen);
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (table == 0) {
      taking.from_the_end(2) = digests.empty() ? digest_of(records[i]) : digests[i];
      taking.from_the_end(1) = changed_at;
    }
    taking.take(records[i], key_of(records[i]));
  }
}

std::vector<TableRows> rows_of(const Resource& root, const std::vector<Record>& records,
                               Instant changed_at) {
  std::vector<TableRows> out;
  for (const Table& table : tables_of(root)) {
    TableRows rows{&table, {}};
    each_row(root, out.size(), records, changed_at, {},
             [&](const std::vector<Value>& row) { rows.rows.push_back(row); });
    out.push_back(std::move(rows));
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
