#include "mapping/record.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace surveybridge::mapping {

// Defined here, where Record is complete.
bool Slot::operator==(const Slot&) const = default;
bool Record::operator==(const Record&) const = default;

Record::Record(const Resource& shape) : resource(&shape), slots(shape.fields.size()) {}

const Slot& Record::at(std::string_view field) const {
  const Field* found = resource->find(field);
  if (found == nullptr) {
    throw std::out_of_range(std::string(resource->name) + " has no field " + std::string(field));
  }
  return slots[resource->index(*found)];
}

Slot& Record::at(std::string_view field) {
  return const_cast<Slot&>(std::as_const(*this).at(field));
}

}  // namespace surveybridge::mapping
