// Every setting there is, as data: the reference page is made from it. Pure.
#pragma once

#include <vector>

#include "config/keys/setting.hpp"

namespace surveybridge::config {

// In the order of the sections of docs/CONFIG.md; NAME, FIELD and COLUMN stand for what users
// choose.
std::vector<Setting> description();

}  // namespace surveybridge::config
