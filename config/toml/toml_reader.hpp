// TOML text to nodes with places. The only file that includes toml++; it checks the syntax only.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "config/toml/node.hpp"

namespace surveybridge::config {

// The root table, or the first syntax error. `file` is the name used in places.
std::variant<Node, Problem> read_toml(std::string_view text, const std::string& file);

}  // namespace surveybridge::config
