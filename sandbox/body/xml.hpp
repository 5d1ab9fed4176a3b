// XML in and out: elements by local name whatever the prefix, i:nil for null, collections as their
// items' elements (table of docs/SERVICE.md 2). The only file that knows pugixml is xml.cpp.
#pragma once

#include <string>
#include <string_view>

#include "sandbox/options/options.hpp"
#include "sandbox/values/node.hpp"

namespace sandbox {

// The root's content. Refuses a DTD, another root than `root`, more than 64 levels, text beside
// elements, and bytes that are not UTF-8.
ParseResult read_xml(std::string_view text, std::string_view root, const XmlStyle& style);

std::string write_xml(std::string_view root, const Node& node, const WritingStyle& style);

// "Customers_x005B_3_x005D_" for "Customers[3]": a name made fit for an element, as .NET does.
std::string element_name(std::string_view name);

}  // namespace sandbox
