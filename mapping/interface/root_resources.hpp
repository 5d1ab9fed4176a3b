// The resources that are stored in tables of their own: what the lists and look-ups of the service
// bring back.
#pragma once

#include <span>
#include <string_view>

#include "mapping/interface/resource.hpp"

namespace surveybridge::mapping {

std::span<const Resource* const> root_resources();

// By the name that the interface document gives it: "BouncedCustomer". std::out_of_range for any
// other name (a programming error, never input).
const Resource& root_resource(std::string_view name);

}  // namespace surveybridge::mapping
