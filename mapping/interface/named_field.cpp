#include "mapping/interface/named_field.hpp"

#include <fmt/format.h>

#include "config/problem.hpp"

namespace surveybridge::mapping {

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
