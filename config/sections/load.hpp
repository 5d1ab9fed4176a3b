// The way from a file's text to settings: every section is read, and every problem is reported at
// once with its place. Pure but for reading the file.
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
// The same from text; `file` is only its name in messages.
std::variant<Settings, std::vector<Problem>> parse(std::string_view text, const std::string& file);

}  // namespace surveybridge::config
