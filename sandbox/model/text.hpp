// Numbers, UTF-8, base64 and fingerprints of texts. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sandbox {

// nullopt: not a whole number, or not one of 64 bits.
std::optional<std::int64_t> whole_number(std::string_view text);

// RFC 3629: shortest forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

// Whether XML 1.0 can hold all characters of this UTF-8: not the control characters below U+0020
// but tab, line feed and carriage return, and neither U+FFFE nor U+FFFF.
bool fits_xml(std::string_view text);

std::string write_base64(std::string_view bytes);
bool is_base64(std::string_view text);

std::uint64_t fingerprint(std::string_view text);

}  // namespace sandbox
