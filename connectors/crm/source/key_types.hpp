// Keys as the type that their column has, so that an index on it serves a look-up by key. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mapping/values/value.hpp"

namespace surveybridge::crm {

// All keys as numbers, if each is the text of one.
std::optional<std::vector<mapping::Value>> numbers(const std::vector<std::string>& keys);

// As a database writes a UUID: 8-4-4-4-12 digits, small letters.
bool is_uuid(const std::string& key);

}  // namespace surveybridge::crm
