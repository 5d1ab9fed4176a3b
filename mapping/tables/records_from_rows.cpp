// Records put together again from their rows: tables.cpp the other way round.
#include <algorithm>
#include <map>

#include "mapping/tables/layout.hpp"

namespace surveybridge::mapping {

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
