// Which of a source's keys make sense together with the field that they fill. Pure; the compiler's
// own.
#pragma once

#include <string>

#include "mapping/field_map/compile.hpp"

namespace surveybridge::mapping {

// A problem at the source's line for each key that the field's type has no use for, and for each
// text of a map that can never come.
void check_options(const config::FieldSource& source, const ValueRule& origin,
                   const std::string& key, const Compiling& to);

}  // namespace surveybridge::mapping
