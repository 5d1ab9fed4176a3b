// Names of time zones, from the system's tz database.
#pragma once

#include <string>
#include <vector>

namespace surveybridge::config {

// Is this an IANA zone of the system's database?
bool is_zone(const std::string& name);
// All of them, for suggestions.
std::vector<std::string> zones();

}  // namespace surveybridge::config
