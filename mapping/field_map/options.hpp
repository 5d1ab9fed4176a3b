// Checks which keys of a source make sense for the field's type. Pure; used by the compiler
// only.
#pragma once

#include <string>

#include "mapping/field_map/compile.hpp"

namespace surveybridge::mapping {

// Adds a problem at the source's line for each key that the field's type cannot use, and for each
// text of a map that can never occur.
void check_options(const config::FieldSource& source, const ValueRule& origin,
                   const std::string& key, const Compiling& to);

}  // namespace surveybridge::mapping
