// Is this text surely not an e-mail address? Pure. What is refused here never reaches the service;
// what only a mail server can know is left to it.
#pragma once

#include <optional>
#include <string_view>

namespace surveybridge::mapping {

// The rule of RFC 5321/5322 that the text breaks ("more than 64 bytes before the @"), never the
// text itself; empty: it may be an address. Non-ASCII letters are fine on both sides (RFC 6531);
// quoted local parts and address literals are not: no respondent has one.
std::optional<std::string_view> fault_in_address(std::string_view text);

}  // namespace surveybridge::mapping
