// A name's UUID: the same name gives the same one, today, tomorrow and on every machine. Pure.
#pragma once

#include <string>
#include <string_view>

namespace surveybridge::mapping {

// Version 5 (SHA-1) of RFC 4122 in the bridge's own name space, 36 characters, lower case.
std::string name_uuid(std::string_view name);

}  // namespace surveybridge::mapping
