// Bodies as JSON (RFC 8259) and as XML: elements by local name whatever the prefix, i:nil for null,
// collections as the elements of their items (table of docs/SERVICE.md 2). Pure.
#pragma once

#include <string>
#include <string_view>

#include "sandbox/model/node.hpp"
#include "sandbox/model/options.hpp"

namespace sandbox {

// Refuses more than 64 levels, a duplicate member, and text that is not UTF-8.
ParseResult read_json(std::string_view text);

std::string write_json(const Node& node, const WritingStyle& style);

// The content of the root element. Refuses a DTD, a root other than `root`, more than 64 levels,
// text beside elements, and bytes that are not UTF-8.
ParseResult read_xml(std::string_view text, std::string_view root, const XmlStyle& style);

// A name that XML does not allow is written as .NET does: "Customers_x005B_3_x005D_".
std::string write_xml(std::string_view root, const Node& node, const WritingStyle& style);

}  // namespace sandbox
