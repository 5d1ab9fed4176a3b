// The service's enumerations come as number in JSON and as name in XML, and docs/SERVICE.md does
// not say which belong together. The configuration does. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "config/settings.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::mapping {

// Gives the value of an enumeration, which came in this field, its other half where `known` has it.
void complete(Enumerator& value, std::string_view field, const config::EnumerationNames& known);

// What the same records, read once by number and once by name, say that was not known when they
// were read. Where an object has changed in between, neither it nor what is in it counts; what
// contradicts itself is left out.
config::EnumerationNames enumerations_between(const std::vector<Record>& by_number,
                                              const std::vector<Record>& by_name);

}  // namespace surveybridge::mapping
