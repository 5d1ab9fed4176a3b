// How a resource lies in its tables is worked out once for the DDL and for the rows alike, so that
// the two cannot disagree.
#include "mapping/tables/tables.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "mapping/interface/resource.hpp"
#include "mapping/values/dates.hpp"
#include "mapping/values/name_uuid.hpp"
#include "mapping/values/person.hpp"

namespace surveybridge::mapping {

namespace {

// The field behind a column: slot by slot through nested objects to a scalar.
struct Leaf {
  std::vector<std::size_t> way;
  enum class Part { whole, number, name } part = Part::whole;  // an enumeration has two columns
};

struct Layout {
  bool made_key = false;     // a root without an id of its own: its first column is a made key
  std::vector<Leaf> leaves;  // the fields' columns, behind the keys that do not come from fields
  struct Copy {
    Leaf leaf;           // a field that says what a key says
    std::size_t column;  // that key's
  };
  std::vector<Copy> copies;
  struct Child {
    std::size_t slot;    // the list of objects in the record
    std::size_t layout;  // position in Plan
  };
  std::vector<Child> children;
};

// The tables of one root resource and their layouts, in the same order, parent first.
struct Plan {
  std::vector<Table> tables;
  std::vector<Layout> layouts;
};

// "survey_answer" → "answer": what a child's key columns are called after.
std::string noun_of(const std::string& table) {
  return table.substr(table.find('_') + 1);
}

ColumnType column_type(Type type) {
  switch (type) {
    case Type::boolean:
      return ColumnType::boolean;
    case Type::integer:
      return ColumnType::integer;
    case Type::decimal:
      return ColumnType::decimal;
    case Type::instant:
      return ColumnType::instant;
    case Type::base64:
      return ColumnType::bytes;
    default:
      return ColumnType::text;
  }
}

// A nested object's name, unless the field repeats it: Batch.Id is batch_id, but Status.StatusCode
// is status_code.
std::string flattened(const std::string& object, std::string_view field) {
  const std::string name = snake_case(field);
  return object.empty() || name.starts_with(object + "_") ? name : object + "_" + name;
}

// In a table of its own a thing does not repeat its name either: survey_status has a code.
std::string without_noun(const std::string& column, const std::string& noun) {
  return column.starts_with(noun + "_") ? column.substr(noun.size() + 1) : column;
}

class Planner {
 public:
  Plan plan(const Resource& root) {
    Table table{std::string(root.table), {}, 1};
    const bool made_key = root.fields.front().type != Type::integer;
    if (made_key) table.columns.push_back({"id", ColumnType::key_text, true});
    const std::size_t at = add(std::move(table), root, noun_of(std::string(root.table)));
    Table& made = plan_.tables[at];
    made.columns.front().required = true;
    made.columns.push_back({"digest", ColumnType::key_text, true});
    made.columns.push_back({"changed_at", ColumnType::instant, true});
    plan_.layouts[at].made_key = made_key;
    return std::move(plan_);
  }

 private:
  // Begun with its key columns, the table gets those of the fields; then come its children.
  std::size_t add(Table begun, const Resource& resource, const std::string& dropped) {
    const std::size_t at = plan_.tables.size();
    plan_.tables.push_back(std::move(begun));
    plan_.layouts.emplace_back();
    add_fields(at, resource, "", dropped, {});
    for (const Field& field : resource.fields) {
      if (!field.list || field.type != Type::object) continue;
      const std::size_t child = add(child_of(at, field), *field.of, "");
      plan_.layouts[at].children.push_back({resource.index(field), child});
    }
    return at;
  }

  void add_fields(std::size_t at, const Resource& resource, const std::string& object,
                  const std::string& dropped, const std::vector<std::size_t>& way) {
    for (const Field& field : resource.fields) {
      if (field.list) continue;
      auto onward = way;
      onward.push_back(resource.index(field));
      const std::string name = without_noun(flattened(object, field.name), dropped);
      if (field.type == Type::object) {
        add_fields(at, *field.of, name, dropped, onward);
      } else if (field.type == Type::enumeration) {
        add_column(at, {name, ColumnType::integer}, {onward, Leaf::Part::number});
        add_column(at, {name + "_name", ColumnType::text}, {onward, Leaf::Part::name});
      } else {
        add_column(at, {name, column_type(field.type)}, {onward});
      }
    }
  }

  // A field called like a key column says the same (a note's CustomerId): the key stands for both.
  void add_column(std::size_t at, TableColumn column, Leaf leaf) {
    auto& columns = plan_.tables[at].columns;
    const auto same = std::ranges::find(columns, column.name, &TableColumn::name);
    if (same != columns.end()) {
      const auto key = static_cast<std::size_t>(same - columns.begin());
      plan_.layouts[at].copies.push_back({std::move(leaf), key});
      return;
    }
    columns.push_back(std::move(column));
    plan_.layouts[at].leaves.push_back(std::move(leaf));
  }

  // The parent's key, called after the parent, and the position in its list.
  Table child_of(std::size_t parent, const Field& field) const {
    const Table& above = plan_.tables[parent];
    Table table{std::string(field.table), {}, above.key_size + 1};
    for (std::size_t i = 0; i < above.key_size; ++i) {
      TableColumn key = above.columns[i];
      if (i + 1 == above.key_size) key.name = noun_of(above.name) + (i == 0 ? "_id" : "_position");
      key.required = true;
      table.columns.push_back(std::move(key));
    }
    table.columns.push_back({"position", ColumnType::integer, true});
    return table;
  }

  Plan plan_;
};

std::map<const Resource*, Plan> all_plans() {
  std::map<const Resource*, Plan> plans;
  for (const Resource* root : root_resources())
    plans.emplace(root, Planner{}.plan(*root));
  return plans;
}

// For the stored resources of resource.hpp; std::out_of_range for any other.
const Plan& plan_of(const Resource& root) {
  static const std::map<const Resource*, Plan> plans = all_plans();
  return plans.at(&root);
}

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

// To the second, as other writings of a date have it.
std::string second_part(const Value& date) {
  const auto* instant = std::get_if<Instant>(&date);
  return part(instant ? Value{Instant{std::chrono::floor<std::chrono::seconds>(*instant)}} : date);
}

// A column's name may change, its id does not. Empty: the item has no value, and the service lists
// such an item of every column that there is. An encrypted value says nothing lasting: it is
// perhaps encrypted anew at every reading.
std::string data_part(const Record& item) {
  const std::string none = part(Null{}), value = part(item.value("Value"));
  if (value == none) return "";
  const Value& id = item.value("CustomerDataColumnId");
  const bool encrypted = item.value("IsEncrypted") == Value{true};
  return part(is_null(id) ? item.value("Name") : id) + (encrypted ? none : value);
}

// A bouncer has no id: what of it does not change is written down here, apart from the codec, for
// the key of what is stored must outlive any change of that.
std::string bouncer_key(const Record& bouncer) {
  const auto* email = std::get_if<std::string>(&bouncer.value("Email"));
  std::string name = "bouncer;" + part(email ? Value{normal_address(*email)} : Null{}) +
                     second_part(bouncer.value("DateSent")) +
                     second_part(bouncer.value("TransactionDate"));
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

namespace {

using Cells = std::vector<Value>;

// A key as text, so that it has an order.
std::vector<std::string> key_text(const Cells& row, std::size_t size) {
  std::vector<std::string> key;
  for (std::size_t i = 0; i < size; ++i) {
    const auto* number = std::get_if<std::int64_t>(&row[i]);
    key.push_back(number != nullptr ? std::to_string(*number) : std::get<std::string>(row[i]));
  }
  return key;
}

// The two halves of an enumeration come one after the other.
Value joined(const Value& there, const Value& cell, Leaf::Part part) {
  if (part == Leaf::Part::whole) return cell;
  Enumerator choice;
  if (const auto* half = std::get_if<Enumerator>(&there)) choice = *half;
  if (part == Leaf::Part::number) choice.number = std::get<std::int64_t>(cell);
  if (part == Leaf::Part::name) choice.name = std::get<std::string>(cell);
  return choice;
}

void put_at(Record& record, const Leaf& leaf, const Value& cell) {
  if (is_null(cell)) return;
  Record* object = &record;
  for (std::size_t i = 0; i + 1 < leaf.way.size(); ++i) {
    auto& records = object->slots[leaf.way[i]].records;
    if (records.empty()) records.emplace_back(*object->resource->fields[leaf.way[i]].of);
    object = &records.front();
  }
  Value& value = object->slots[leaf.way.back()].value;
  value = joined(value, cell, leaf.part);
}

// The rows of every child table, found by their parent's key.
class Rebuilding {
 public:
  Rebuilding(const Plan& plan, const std::vector<TableRows>& tables) : plan_(plan) {
    children_.resize(tables.size());
    for (std::size_t at = 1; at < tables.size(); ++at) {
      const std::size_t position = plan.tables[at].key_size - 1;
      for (const Cells& row : tables[at].rows)
        children_[at][key_text(row, position)].push_back(&row);
      for (auto& [parent, rows] : children_[at])
        std::ranges::sort(
            rows, {}, [&](const Cells* row) { return std::get<std::int64_t>((*row)[position]); });
    }
  }

  Record record(std::size_t at, const Resource& shape, const Cells& row) const {
    const Layout& layout = plan_.layouts[at];
    const std::size_t made = layout.made_key ? 1 : 0;
    const std::size_t first = at == 0 ? made : plan_.tables[at].key_size;
    Record record(shape);
    for (std::size_t i = 0; i < layout.leaves.size(); ++i)
      put_at(record, layout.leaves[i], row[first + i]);
    for (const Layout::Copy& copy : layout.copies)
      put_at(record, copy.leaf, row[copy.column]);
    const auto key = key_text(row, plan_.tables[at].key_size);
    for (const Layout::Child& child : layout.children)
      add_items(record, child, key);
    return record;
  }

 private:
  void add_items(Record& parent, const Layout::Child& child,
                 const std::vector<std::string>& key) const {
    const auto found = children_[child.layout].find(key);
    if (found == children_[child.layout].end()) return;
    const Resource& shape = *parent.resource->fields[child.slot].of;
    for (const Cells* row : found->second)
      parent.slots[child.slot].records.push_back(record(child.layout, shape, *row));
  }

  const Plan& plan_;
  std::vector<std::map<std::vector<std::string>, std::vector<const Cells*>>> children_;
};

}  // namespace

std::vector<Record> records_of(const Resource& root, const std::vector<TableRows>& tables) {
  const Rebuilding rebuilding(plan_of(root), tables);
  std::vector<Record> records;
  for (const Cells& row : tables.front().rows)
    records.push_back(rebuilding.record(0, root, row));
  return records;
}

}  // namespace surveybridge::mapping
