// Constants of the configuration as values of a field's type. Pure.
#pragma once

#include <string>
#include <variant>

#include "config/settings.hpp"
#include "mapping/field_map/coerce.hpp"

namespace surveybridge::mapping {

// Stricter than for a cell, because the operator can write the right type: "5" is no integer and 5
// no text. The error says what was expected and found: `expected an integer, got the string "5"`.
Coerced from_constant(const config::Constant& constant, Type type, const std::string& zone);

// A TOML date with its offset; without one it is read in `zone`.
Instant instant_of(const config::Date& date, const std::string& zone);
}  // namespace surveybridge::mapping
