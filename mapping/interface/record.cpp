#include "mapping/interface/record.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace surveybridge::mapping {

// Defined here, where Record is complete.
Slots::Slots(std::size_t fields) : fields_(fields) {}
bool Slot::operator==(const Slot&) const = default;
bool Record::operator==(const Record&) const = default;

const Slot& Slots::operator[](std::size_t field) const {
  static const Slot empty;
  const auto found = std::ranges::find(filled_, field, &Filled::field);
  return found == filled_.end() ? empty : found->slot;
}

Slot& Slots::operator[](std::size_t field) {
  const auto found = std::ranges::find(filled_, field, &Filled::field);
  return found == filled_.end() ? filled_.emplace_back(Filled{field, {}}).slot : found->slot;
}

void Slots::trim() {
  filled_.shrink_to_fit();
}

// An empty slot equals no slot.
bool Slots::operator==(const Slots& other) const {
  const auto holds_all_of = [](const Slots& slots, const Slots& others) {
    return std::ranges::all_of(others.filled_,
                               [&](const Filled& each) { return slots[each.field] == each.slot; });
  };
  return fields_ == other.fields_ && holds_all_of(*this, other) && holds_all_of(other, *this);
}

Record::Record(const Resource& shape) : resource(&shape), slots(shape.fields.size()) {}

namespace {

std::size_t position_of(const Resource& resource, std::string_view field) {
  const Field* found = resource.find(field);
  if (found == nullptr) {
    throw std::out_of_range(std::string(resource.name) + " has no field " + std::string(field));
  }
  return resource.index(*found);
}

}  // namespace

const Slot& Record::at(std::string_view field) const {
  return slots[position_of(*resource, field)];
}

Slot& Record::at(std::string_view field) {
  return slots[position_of(*resource, field)];
}

}  // namespace surveybridge::mapping
