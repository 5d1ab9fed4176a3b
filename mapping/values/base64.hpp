// Bytes as base64 text (RFC 4648, section 4) and back. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace surveybridge::mapping {

std::string write_base64(std::string_view bytes);

// Strict but for white space between the characters, which mail-minded encoders add: padding must
// be there and right. Empty for anything else.
std::optional<std::string> read_base64(std::string_view text);

}  // namespace surveybridge::mapping
