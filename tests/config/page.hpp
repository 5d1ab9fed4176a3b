// The text of docs/CONFIG.md: how a configuration is written, and every setting from the
// description in the code. Pure.
#pragma once

#include <string>

namespace surveybridge::config {

std::string config_page();

}  // namespace surveybridge::config
