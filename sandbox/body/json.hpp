// Reads and writes JSON (RFC 8259). Only json.cpp includes nlohmann.
#pragma once

#include <string>
#include <string_view>

#include "sandbox/options/options.hpp"
#include "sandbox/values/node.hpp"

namespace sandbox {

// Refuses more than 64 levels, a duplicate member, and text that is not UTF-8.
ParseResult read_json(std::string_view text);

std::string write_json(const Node& node, const WritingStyle& style);

}  // namespace sandbox
