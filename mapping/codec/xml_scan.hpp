// What must be known of an XML body before a parser builds a tree of it: that the tree stays
// small and flat, that nothing is declared, and that every character is one. Pure; the codec's own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "mapping/codec/codec.hpp"

namespace surveybridge::mapping {

// The rule that the markup breaks, or nothing. Refused: what is not UTF-8, DTDs and any entity but
// the five of XML itself, more nesting or more elements than the limits give room for, a body that
// ends too early, text or a second element beside the root. References to control characters are
// let through, because services write them; to U+0000 and surrogates they are not.
std::optional<std::string> fault_in_markup(std::string_view body, const Limits& limits);

}  // namespace surveybridge::mapping
