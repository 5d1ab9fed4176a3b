// Parts of a document that tests make: the lines between "<!-- generated: NAME -->" and
// "<!-- end of NAME -->".
#pragma once

#include <string>

namespace support {

// `document` is a path in the source tree. Empty, and the test fails, where it has no such part.
std::string generated_section(const std::string& document, const std::string& name);
// The part is `made`. With BRIDGE_UPDATE_GOLDEN=1 in the environment `made` is written there.
void expect_section(const std::string& document, const std::string& name, const std::string& made);

// A paragraph in lines of at most 130 bytes; those behind the first one begin with `indent`.
std::string wrapped(const std::string& text, const std::string& indent = "");

}  // namespace support
