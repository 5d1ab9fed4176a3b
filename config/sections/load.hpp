// From the text of the file to settings: reads every section and reports every problem with its
// place. Pure except for reading the file.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/problem.hpp"
#include "config/settings.hpp"

namespace surveybridge::config {

// Reads and checks a file (docs/CONFIG.md): settings, or every problem at once.
std::variant<Settings, std::vector<Problem>> load(const std::string& file);
// The same from text; `file` is only the name used in messages.
std::variant<Settings, std::vector<Problem>> parse(std::string_view text, const std::string& file);

}  // namespace surveybridge::config
