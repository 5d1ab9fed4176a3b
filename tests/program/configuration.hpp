// The configuration of the tests of this room: one push, all pulls, short intervals. Each test
// changes what it needs.
#pragma once

#include <string>

#include "tests/support/temporary_folder.hpp"

namespace program {

// Reads the table of Crm and uses the sandbox's built-in data columns.
std::string configuration(const std::string& connection, const std::string& base_url);

// `text`, and a status page on this port of 127.0.0.1; `more`: further lines of [status].
std::string with_page(const std::string& text, int port, const std::string& more = "");

// `text` with each `old` replaced by `with`; std::invalid_argument if there is none.
std::string replaced(std::string text, const std::string& old, const std::string& with);

}  // namespace program
