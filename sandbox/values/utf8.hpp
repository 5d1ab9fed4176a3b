// Whether bytes are UTF-8 (RFC 3629: shortest forms, no surrogates, nothing above U+10FFFF). Pure.
#pragma once

#include <string_view>

namespace sandbox {

bool is_utf8(std::string_view text);

}  // namespace sandbox
