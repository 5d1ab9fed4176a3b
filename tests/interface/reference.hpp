// The text of docs/REFERENCE.md: the resources, the tables and the parameters, as the
// descriptions in the code have them. Pure.
#pragma once

#include <string>

namespace interface {

std::string reference_page();

}  // namespace interface
