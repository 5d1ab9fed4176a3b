// Checks an XML body before a parser builds a tree of it: the tree will be small and flat, nothing
// is declared, every character is valid. Names of elements as the service writes them. Pure; used
// by the codec only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "mapping/codec/codec.hpp"

namespace surveybridge::mapping {

// The rule that the markup breaks, or nothing. Refused: text that is not UTF-8, DTDs, entities
// other than XML's five, more nesting or elements than the limits allow, a body that ends too
// early, text or a second element beside the root. References to control characters are accepted
// because services write them; references to U+0000 and to surrogates are not.
std::optional<std::string> fault_in_markup(std::string_view body, const Limits& limits);

// "Email" of "b:Email": the prefix is the service's choice.
std::string_view local_name(std::string_view name);

// "Customers[3]" of "Customers_x005B_3_x005D_": how .NET makes an element's name from a text.
std::string decoded_name(std::string_view name);

}  // namespace surveybridge::mapping
