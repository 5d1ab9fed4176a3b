// Reads and writes XML: elements by local name whatever the prefix, i:nil for null, collections as
// the elements of their items (table of docs/SERVICE.md 2). Only xml.cpp includes pugixml.
#pragma once

#include <string>
#include <string_view>

#include "sandbox/options/options.hpp"
#include "sandbox/values/node.hpp"

namespace sandbox {

// The content of the root element. Refuses a DTD, a root other than `root`, more than 64 levels,
// text beside elements, and bytes that are not UTF-8.
ParseResult read_xml(std::string_view text, std::string_view root, const XmlStyle& style);

std::string write_xml(std::string_view root, const Node& node, const WritingStyle& style);

// "Customers_x005B_3_x005D_" for "Customers[3]": .NET's name of an element for any text.
std::string element_name(std::string_view name);

}  // namespace sandbox
