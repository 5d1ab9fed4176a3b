#include "mapping/resource.hpp"

#include <algorithm>

namespace surveybridge::mapping {
namespace {

// The service's names are ASCII; std::tolower would ask the locale.
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_name(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, {}, lower, lower);
}

}  // namespace

const Field* Resource::find(std::string_view field_name) const {
  const auto found = std::ranges::find_if(
      fields, [&](const Field& field) { return same_name(field.name, field_name); });
  return found == fields.end() ? nullptr : &*found;
}

std::size_t Resource::index(const Field& field) const {
  return static_cast<std::size_t>(&field - fields.data());
}

}  // namespace surveybridge::mapping
