// One object of the service (a customer, a batch, a rating) with its description. A record owns its
// content and is copied and compared as a value.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "mapping/interface/resource.hpp"
#include "mapping/values/value.hpp"

namespace surveybridge::mapping {

struct Record;

// The content of a field. The field's description decides which member is used: scalar → value;
// list of scalars → values; object → records (0 or 1); list of objects → records.
struct Slot {
  Value value;
  std::vector<Value> values;
  std::vector<Record> records;
  bool is_empty() const;
  bool operator==(const Slot&) const;
};

// The slots of a record, by the position of their field. Only slots with content use memory, so a
// page of empty objects is small. A reference is valid until another slot is filled.
class Slots {
 public:
  static constexpr std::size_t kMost = 64;
  explicit Slots(std::size_t fields);  // std::length_error: more than kMost

  std::size_t size() const { return fields_; }
  const Slot& operator[](std::size_t field) const;  // an empty one where there is none
  Slot& operator[](std::size_t field);
  void trim();  // releases unused memory, if it is more than that in use

  bool operator==(const Slots&) const;

 private:
  bool has(std::size_t field) const { return ((there_ >> field) & 1U) != 0; }
  std::size_t position(std::size_t field) const;  // among the filled ones

  std::size_t fields_;
  std::uint64_t there_ = 0;   // a bit for each filled slot
  std::vector<Slot> filled_;  // in the order of fields
};

struct Record {
  const Resource* resource = nullptr;
  Slots slots;  // parallel to resource->fields

  explicit Record(const Resource& shape);

  // The slot of a field by the service's name. Throws std::out_of_range for an unknown name (a
  // programming error, never input).
  Slot& at(std::string_view field);
  const Slot& at(std::string_view field) const;
  // Shorthand for a scalar.
  const Value& value(std::string_view field) const { return at(field).value; }
  // The same of one type; empty: it is none of that type.
  template <class T>
  std::optional<T> get(std::string_view field) const {
    const auto* found = std::get_if<T>(&value(field));
    return found == nullptr ? std::nullopt : std::optional(*found);
  }
  bool is_true(std::string_view field) const { return get<bool>(field).value_or(false); }
  void set(std::string_view field, Value value) { at(field).value = std::move(value); }

  bool operator==(const Record&) const;
};

}  // namespace surveybridge::mapping
