// A field by the name that the operator wrote. Pure.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "mapping/interface/resource.hpp"

namespace surveybridge::mapping {

// The field whose name is written exactly so, case and all, as docs/CONFIG.md asks; or one sentence
// with the closest name: `Customer has no field "Stauts" (did you mean "Status"?)`.
std::variant<const Field*, std::string> named_field(const Resource& resource,
                                                    std::string_view name);

}  // namespace surveybridge::mapping
