#include "mapping/interface/resource.hpp"

#include <algorithm>

#include "mapping/values/text.hpp"

namespace surveybridge::mapping {
const Field* Resource::find(std::string_view field_name) const {
  const auto found = std::ranges::find_if(
      fields, [&](const Field& field) { return same_name(field.name, field_name); });
  return found == fields.end() ? nullptr : &*found;
}

std::size_t Resource::index(const Field& field) const {
  return static_cast<std::size_t>(&field - fields.data());
}

}  // namespace surveybridge::mapping
