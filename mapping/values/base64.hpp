// Bytes as base64 text (RFC 4648, section 4) and back, up to a gigabyte. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace surveybridge::mapping {

std::string write_base64(std::string_view bytes);

// Strict, except for white space between the characters, which some encoders add: the padding must
// be there and correct. Empty for anything else.
std::optional<std::string> read_base64(std::string_view text);

}  // namespace surveybridge::mapping
