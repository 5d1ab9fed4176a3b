// Converts a value to the type of a field, or gives the rule that it breaks. Pure.
#pragma once

#include <string>
#include <variant>

#include "mapping/interface/resource.hpp"
#include "mapping/values/value.hpp"

namespace surveybridge::mapping {

// Why a value does not fit: "not an integer". Never holds the value itself.
struct ConversionError {
  std::string rule;
  bool operator==(const ConversionError&) const = default;
};

using Coerced = std::variant<Value, ConversionError>;

// Null stays Null; a date that means "unset" becomes Null. Nothing is rounded: 7.00 is an integer,
// 7.5 and "7,5" are not. Local times are read in `zone` (IANA). A text is well-formed UTF-8 without
// NUL; numbers and instants become their canonical text. Instants are in the years 1 to 9999. Not
// for objects: std::invalid_argument (a programming error).
Coerced coerce(const Value& value, Type type, const std::string& zone);

}  // namespace surveybridge::mapping
