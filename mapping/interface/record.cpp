#include "mapping/interface/record.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace surveybridge::mapping {

// Defined here, where Record is complete.
Slots::Slots(std::size_t fields) : fields_(fields) {
  if (fields > kMost) throw std::length_error("a resource with more than 64 fields");
}
bool Slot::operator==(const Slot&) const = default;
bool Slot::is_empty() const {
  return is_null(value) && values.empty() && records.empty();
}
bool Record::operator==(const Record&) const = default;

std::size_t Slots::position(std::size_t field) const {
  return static_cast<std::size_t>(std::popcount(there_ & ((std::uint64_t{1} << field) - 1)));
}

const Slot& Slots::operator[](std::size_t field) const {
  static const Slot empty;
  return has(field) ? filled_[position(field)] : empty;
}

// Most objects of the service have few fields: the memory for them is taken at once.
Slot& Slots::operator[](std::size_t field) {
  constexpr std::size_t kFew = 4;
  const std::size_t at = position(field);
  if (has(field)) return filled_[at];
  if (filled_.empty()) filled_.reserve(std::min(fields_, kFew));
  there_ |= std::uint64_t{1} << field;
  return *filled_.emplace(filled_.begin() + static_cast<std::ptrdiff_t>(at));
}

void Slots::trim() {
  if (filled_.capacity() > 2 * filled_.size()) filled_.shrink_to_fit();
}

// An empty slot equals no slot.
bool Slots::operator==(const Slots& other) const {
  if (fields_ != other.fields_) return false;
  for (std::size_t field = 0; field < fields_; ++field) {
    if ((has(field) || other.has(field)) && !((*this)[field] == other[field])) return false;
  }
  return true;
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
