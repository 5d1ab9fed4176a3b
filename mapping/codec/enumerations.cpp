#include "mapping/codec/enumerations.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "config/text.hpp"

namespace surveybridge::mapping {

namespace {

// A number and a name of this field's enumeration.
struct Pair {
  std::string field;
  std::int64_t number = 0;
  std::string name;
  auto operator<=>(const Pair&) const = default;  // NOLINT(modernize-use-nullptr): its own 0
};

// Null and the empty text are what the two formats take for each other.
bool is_void(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return is_null(value) || (text != nullptr && text->empty());
}

// Does a field say one thing here and another there?
bool contradicts(const Field& field, const Slot& one, const Slot& other) {
  if (field.type == Type::object) return field.list && one.records.size() != other.records.size();
  if (field.type == Type::enumeration || field.list) return false;
  return !is_void(one.value) && !is_void(other.value) && one.value != other.value;
}

bool agree(const Record& one, const Record& other) {
  const auto& fields = one.resource->fields;
  return std::ranges::none_of(fields, [&](const Field& field) {
    const std::size_t at = one.resource->index(field);
    return contradicts(field, one.slots[at], other.slots[at]);
  });
}

void add_pair(const Field& field, const Value& one, const Value& other, std::set<Pair>& pairs) {
  const auto* number = std::get_if<Enumerator>(&one);
  const auto* name = std::get_if<Enumerator>(&other);
  if (number == nullptr || name == nullptr || !number->number || name->number) return;
  if (config::is_name(name->name))
    pairs.insert({std::string(field.name), *number->number, name->name});
}

void compare(const Record& one, const Record& other, std::set<Pair>& pairs) {
  if (!agree(one, other)) return;
  for (const Field& field : one.resource->fields) {
    const std::size_t at = one.resource->index(field);
    const Slot &here = one.slots[at], &there = other.slots[at];
    if (field.type == Type::enumeration) add_pair(field, here.value, there.value, pairs);
    const std::size_t both = std::min(here.records.size(), there.records.size());
    for (std::size_t i = 0; i < both; ++i)
      compare(here.records[i], there.records[i], pairs);
  }
}

// One number with two names, or one name with two numbers, is something that changed under our
// eyes.
config::EnumerationNames without_contradictions(const std::set<Pair>& all) {
  config::EnumerationNames kept;
  for (const Pair& pair : all) {
    const auto same = std::ranges::count_if(all, [&](const Pair& other) {
      return other.field == pair.field && (other.number == pair.number || other.name == pair.name);
    });
    if (same == 1) kept[pair.field].emplace(pair.number, pair.name);
  }
  return kept;
}

}  // namespace

void complete(Enumerator& value, std::string_view field, const config::EnumerationNames& known) {
  const auto names = known.find(field);
  if (names == known.end()) return;
  if (!value.number) {
    const auto found =
        std::ranges::find(names->second, value.name, &config::NumberNames::value_type::second);
    if (found != names->second.end()) value.number = found->first;
  } else if (const auto found = names->second.find(*value.number); found != names->second.end()) {
    value.name = found->second;
  }
}

config::EnumerationNames enumerations_between(const std::vector<Record>& by_number,
                                              const std::vector<Record>& by_name) {
  std::set<Pair> pairs;
  for (const Record& one : by_number) {
    for (const Record& other : by_name) {
      const Value &id = one.slots[0].value, &other_id = other.slots[0].value;
      if (!is_null(id) && id == other_id) compare(one, other, pairs);
    }
  }
  return without_contradictions(pairs);
}

}  // namespace surveybridge::mapping
