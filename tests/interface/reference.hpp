// The text of docs/REFERENCE.md: resources, tables and parameters from the descriptions in the
// code. Pure.
#pragma once

#include <string>

namespace interface {

std::string reference_page();

}  // namespace interface
