// Settings as lines of text, for expectations that people can read: "key: value", what is unset
// left out.
#pragma once

#include <string>

#include "config/settings.hpp"

namespace surveybridge::config {

std::string dump(const Settings& settings);

}  // namespace surveybridge::config
