// Settings as lines of text for readable expectations: "key: value". Settings that are not set are
// left out.
#pragma once

#include <string>

#include "config/settings.hpp"

namespace surveybridge::config {

std::string dump(const Settings& settings);

}  // namespace surveybridge::config
