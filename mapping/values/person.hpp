// A person without a name: the keyed hash of an e-mail address. Pure.
#pragma once

#include <string>
#include <string_view>

namespace surveybridge::mapping {

// HMAC-SHA-256 with `key`, as 64 hexadecimal digits. Blanks around the address and the case of
// ASCII letters do not count. Empty for an empty address.
std::string person_of(std::string_view key, std::string_view address);

}  // namespace surveybridge::mapping
