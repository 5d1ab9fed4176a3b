// Numbers as people write them in text columns: "1.234,50". Pure.
#pragma once

#include <optional>
#include <string_view>

#include "mapping/values/value.hpp"

namespace surveybridge::mapping {

// `point` is the sign before the decimals, ',' or '.'. Groups of three digits may be separated by
// the other sign, by blanks (also no-break blanks) or by apostrophes, the same throughout. Nothing
// else: no exponent, no currency, no second sign. "1,5" with a decimal point is no number.
std::optional<Decimal> read_number(std::string_view text, char point);

}  // namespace surveybridge::mapping
