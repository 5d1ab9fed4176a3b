// TOML text to nodes with places. The one file that knows toml++; it checks nothing but syntax.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "config/toml/node.hpp"

namespace surveybridge::config {

// The document's table, or the first place where it is no TOML. `file` names it in places.
std::variant<Node, Problem> read_toml(std::string_view text, const std::string& file);

}  // namespace surveybridge::config
