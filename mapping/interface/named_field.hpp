// Finds a field by the name in the configuration. Pure.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "mapping/interface/resource.hpp"

namespace surveybridge::mapping {

// The field with exactly this name, including case; or a sentence with the closest name: `Customer
// has no field "Stauts" (did you mean "Status"?)`.
std::variant<const Field*, std::string> named_field(const Resource& resource,
                                                    std::string_view name);

}  // namespace surveybridge::mapping
