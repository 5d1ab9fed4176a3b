#include "mapping/tables/enumerations.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <tuple>
#include <utility>

#include "mapping/tables/layout.hpp"

namespace surveybridge::mapping {

namespace {

constexpr std::size_t kNameBytesMax = 100;

std::string name_of(const Resource& shape, const Field& field) {
  return std::string(shape.name) + "." + std::string(field.name);
}

// Null and the empty text are what the two formats take for each other.
bool is_blank(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return is_null(value) || (text != nullptr && text->empty());
}

// Does a field say one thing here and another there?
bool contradicts(const Field& field, const Slot& one, const Slot& other) {
  if (field.type == Type::object) return field.list && one.records.size() != other.records.size();
  if (field.type == Type::enumeration || field.list) return false;
  return !is_blank(one.value) && !is_blank(other.value) && one.value != other.value;
}

bool agree(const Record& one, const Record& other) {
  const auto& fields = one.resource->fields;
  return std::ranges::none_of(fields, [&](const Field& field) {
    const std::size_t at = one.resource->index(field);
    return contradicts(field, one.slots[at], other.slots[at]);
  });
}

using Found = std::function<void(const std::string& of, const Value& one, const Value& other)>;

void compare(const Record& one, const Record& other, const Found& found) {
  if (!agree(one, other)) return;
  for (const Field& field : one.resource->fields) {
    const std::size_t at = one.resource->index(field);
    const Slot &here = one.slots[at], &there = other.slots[at];
    if (field.type == Type::enumeration)
      found(name_of(*one.resource, field), here.value, there.value);
    const std::size_t both = std::min(here.records.size(), there.records.size());
    for (std::size_t i = 0; i < both; ++i)
      compare(here.records[i], there.records[i], found);
  }
}

// A half of an enumeration's value, where it stands in a record.
struct Half {
  const Resource* shape;
  const Field* field;
  std::optional<std::int64_t> number;
  std::string_view name;
  bool operator<(const Half& other) const {
    return std::tie(shape, field, number, name) <
           std::tie(other.shape, other.field, other.number, other.name);
  }
};

// The halves in a record and in those inside it. A page has thousands, and few are different.
void add_halves(const Record& record, std::set<Half>& halves) {
  for (const Field& field : record.resource->fields) {
    const Slot& slot = record.slots[record.resource->index(field)];
    if (const auto* value = std::get_if<Enumerator>(&slot.value)) {
      const bool is_half = value->number.has_value() == value->name.empty();
      if (is_half && value->name.size() <= kNameBytesMax)
        halves.insert({record.resource, &field, value->number, value->name});
    }
    for (const Record& item : slot.records)
      add_halves(item, halves);
  }
}

// One number with two names, or one name with two numbers, is something that changed under our
// eyes.
std::set<EnumerationPair> without_contradictions(const std::set<EnumerationPair>& all) {
  std::set<EnumerationPair> kept;
  for (const EnumerationPair& choice : all) {
    const auto others = std::ranges::count_if(all, [&](const EnumerationPair& other) {
      return other.of == choice.of && (other.number == choice.number || other.name == choice.name);
    });
    if (others == 1) kept.insert(choice);
  }
  return kept;
}

// The tables below one, and the resource that each holds.
void add_columns(const Plan& plan, std::size_t at, const Resource& shape,
                 std::vector<EnumerationColumns>& out) {
  const Table& table = plan.tables[at];
  const Layout& layout = plan.layouts[at];
  const std::size_t first = at == 0 ? (layout.made_key ? 1 : 0) : table.key_size;
  for (std::size_t i = 0; i < layout.leaves.size(); ++i) {
    if (layout.leaves[i].part != Leaf::Part::number) continue;
    const Resource* object = &shape;
    for (std::size_t step = 0; step + 1 < layout.leaves[i].way.size(); ++step)
      object = object->fields[layout.leaves[i].way[step]].of;
    const Field& field = object->fields[layout.leaves[i].way.back()];
    out.push_back({name_of(*object, field), table.name, table.columns[0].name,
                   table.columns[first + i].name, table.columns[first + i + 1].name});
  }
  for (const Layout::Child& child : layout.children)
    add_columns(plan, child.layout, *shape.fields[child.slot].of, out);
}

}  // namespace

void Enumerations::learn(const EnumerationPair& choice) {
  names_[{choice.of, choice.number}] = choice.name;
  numbers_[{choice.of, choice.name}].insert(choice.number);
}

Enumerator Enumerations::completed(const std::string& of, Enumerator value) const {
  if (value.number && value.name.empty()) {
    const auto found = names_.find({of, *value.number});
    if (found != names_.end()) value.name = found->second;
  } else if (!value.number) {
    const auto found = numbers_.find({of, value.name});
    if (found != numbers_.end() && found->second.size() == 1) value.number = *found->second.begin();
  }
  return value;
}

void Enumerations::complete(Record& record) const {
  if (names_.empty()) return;
  for (const Field& field : record.resource->fields) {
    const std::size_t at = record.resource->index(field);
    const Slot& slot = std::as_const(record.slots)[at];
    if (const auto* value = std::get_if<Enumerator>(&slot.value))
      record.slots[at].value = completed(name_of(*record.resource, field), *value);
    for (std::size_t i = 0; i < slot.records.size(); ++i)
      complete(record.slots[at].records[i]);
  }
}

std::set<PartialEnum> partial_enums_in(std::span<const Record> records) {
  std::set<Half> halves;
  for (const Record& record : records)
    add_halves(record, halves);
  std::set<PartialEnum> named;
  for (const Half& half : halves)
    named.emplace(name_of(*half.shape, *half.field),
                  half.number ? std::to_string(*half.number) : std::string(half.name));
  return named;
}

std::set<EnumerationPair> enumerations_between(const std::vector<Record>& by_number,
                                               const std::vector<Record>& by_name) {
  std::set<EnumerationPair> choices;
  const Found found = [&](const std::string& of, const Value& one, const Value& other) {
    const auto* number = std::get_if<Enumerator>(&one);
    const auto* name = std::get_if<Enumerator>(&other);
    if (number == nullptr || name == nullptr || !number->number || name->number) return;
    if (name->name.size() <= kNameBytesMax) choices.insert({of, *number->number, name->name});
  };
  for (const Record& one : by_number) {
    for (const Record& other : by_name) {
      const Value &id = one.slots[0].value, &other_id = other.slots[0].value;
      if (!is_null(id) && id == other_id) compare(one, other, found);
    }
  }
  return without_contradictions(choices);
}

std::vector<EnumerationColumns> enumeration_columns(const Resource& root) {
  std::vector<EnumerationColumns> columns;
  add_columns(plan_of(root), 0, root, columns);
  return columns;
}

}  // namespace surveybridge::mapping
