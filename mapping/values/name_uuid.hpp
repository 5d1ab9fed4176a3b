// The UUID of a name: the same name always gives the same UUID, on every machine. Pure.
#pragma once

#include <string>
#include <string_view>

namespace surveybridge::mapping {

// Version 5 (SHA-1) of RFC 4122 in the bridge's own name space, 36 characters, lower case.
std::string name_uuid(std::string_view name);

}  // namespace surveybridge::mapping
