// All settings as data: the reference page is made from it. Pure.
#pragma once

#include <string>
#include <vector>

#include "config/keys/setting.hpp"

namespace surveybridge::config {

// In the order of docs/CONFIG.md. NAME, FIELD and COLUMN stand for names that the user
// chooses.
std::vector<Setting> description();

// A section of the description as a file begins it: "[crm]", or "[[pull.customers.walk]]" where
// there may be several. "At the top" for the keys outside of all; what is no section ("a cell")
// stays.
std::string heading_of(const std::string& section);

}  // namespace surveybridge::config
