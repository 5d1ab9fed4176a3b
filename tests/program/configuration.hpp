// The configuration that the tests of this room begin with: one push, all pulls, everything fast.
// A test changes what it is about.
#pragma once

#include <string>

#include "tests/support/temporary_folder.hpp"

namespace program {

// Reads the table of Crm and knows the sandbox's built-in data columns.
std::string configuration(const std::string& connection, const std::string& base_url);

// `text` with `old` instead of `with` wherever it stands; std::invalid_argument where it is not.
std::string replaced(std::string text, const std::string& old, const std::string& with);

}  // namespace program
