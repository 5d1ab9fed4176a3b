// Names of time zones. Reads the system's tz database, which does not change while we run.
#pragma once

#include <string>
#include <vector>

namespace surveybridge::config {

// Is this an IANA zone the system knows?
bool is_zone(const std::string& name);
// All of them, for suggestions.
std::vector<std::string> zones();

}  // namespace surveybridge::config
