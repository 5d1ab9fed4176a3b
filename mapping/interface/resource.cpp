#include "mapping/interface/resource.hpp"

#include <algorithm>

#include "mapping/values/text.hpp"

namespace surveybridge::mapping {
const Field* Resource::find(std::string_view field_name) const {
  // Nearly every name is written as here; the comparison without case takes several times as long.
  auto found = std::ranges::find(fields, field_name, &Field::name);
  if (found == fields.end()) {
    found = std::ranges::find_if(
        fields, [&](const Field& field) { return same_name(field.name, field_name); });
  }
  return found == fields.end() ? nullptr : &*found;
}

std::size_t Resource::index(const Field& field) const {
  return static_cast<std::size_t>(&field - fields.data());
}

}  // namespace surveybridge::mapping
