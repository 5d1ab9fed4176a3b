// Is this text certainly not an e-mail address? Pure. A text that is refused here is not sent to
// the service; what only a mail server can find out is not checked.
#pragma once

#include <optional>
#include <string_view>

namespace surveybridge::mapping {

// The rule of RFC 5321/5322 that the text breaks ("more than 64 bytes before the @"), never the
// text itself; empty: it may be an address. Non-ASCII letters are allowed on both sides (RFC 6531).
// Quoted local parts and address literals are not.
std::optional<std::string_view> fault_in_address(std::string_view text);

}  // namespace surveybridge::mapping
