// All settings as data: the reference page is made from it. Pure.
#pragma once

#include <vector>

#include "config/keys/setting.hpp"

namespace surveybridge::config {

// In the order of docs/CONFIG.md. NAME, FIELD and COLUMN stand for names that the user
// chooses.
std::vector<Setting> description();

}  // namespace surveybridge::config
