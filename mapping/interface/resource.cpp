#include "mapping/interface/resource.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "config/problem.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {

const Field* Resource::find(std::string_view field_name) const {
  // Nearly every name is written as here; the other comparison takes several times as long.
  auto found = std::ranges::find(fields, field_name, &Field::name);
  if (found == fields.end()) {
    found = std::ranges::find_if(
        fields, [&](const Field& field) { return same_words(field.name, field_name); });
  }
  return found == fields.end() ? nullptr : &*found;
}

std::size_t Resource::index(const Field& field) const {
  return static_cast<std::size_t>(&field - fields.data());
}

std::span<const Resource* const> root_resources() {
  static const Resource* const all[] = {&customer(), &rating(), &bouncer(), &status(),
                                        &data_column()};
  return all;
}

const Resource& root_resource(std::string_view name) {
  for (const Resource* root : root_resources())
    if (root->name == name) return *root;
  throw std::out_of_range("no resource is called " + std::string(name));
}

namespace {

std::string hint(const Resource& resource, std::string_view name) {
  if (const Field* field = resource.find(name))
    return fmt::format(" (did you mean \"{}\"?)", field->name);
  std::vector<std::string> names;
  for (const Field& field : resource.fields)
    names.emplace_back(field.name);
  return config::suggestion(name, names);
}

}  // namespace

std::variant<const Field*, std::string> named_field(const Resource& resource,
                                                    std::string_view name) {
  const Field* field = resource.find(name);
  if (field && field->name == name) return field;
  return fmt::format("{} has no field \"{}\"{}", resource.name, name, hint(resource, name));
}

}  // namespace surveybridge::mapping
