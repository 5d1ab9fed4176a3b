// Whether bytes are UTF-8 (RFC 3629: shortest forms, no surrogates, nothing above U+10FFFF), and
// whether XML can hold them. Pure.
#pragma once

#include <string_view>

namespace sandbox {

bool is_utf8(std::string_view text);

// Whether XML 1.0 can hold all characters of this UTF-8: not the control characters below U+0020
// but tab, line feed and carriage return, and neither U+FFFE nor U+FFFF.
bool fits_xml(std::string_view text);

}  // namespace sandbox
