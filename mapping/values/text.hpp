// Text of a CRM: UTF-8 that may be broken, with blanks around it. Pure; copies only where
// necessary.
#pragma once

#include <string>
#include <string_view>

namespace surveybridge::mapping {

// Well-formed UTF-8 by RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

// The blanks of JSON, XML and HTTP.
inline constexpr std::string_view kBlanks = " \t\r\n";

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Without blanks at both ends: white space of any script, zero-width space, byte order mark.
std::string_view trimmed(std::string_view text);

// Without characters that nobody sees (zero-width characters, marks of direction, soft hyphens),
// and with a plain blank for each white space beyond ASCII.
std::string visible(std::string_view text);

// Beyond ASCII: is it no letter, digit or accent, but punctuation, a blank or a picture?
bool is_sign(char32_t point);

// The first `count` code points of well-formed UTF-8, never a part of one.
std::string_view first_characters(std::string_view text, std::size_t count);

// Equal except for ASCII case. The service's names are compared like this.
bool same_name(std::string_view a, std::string_view b);

}  // namespace surveybridge::mapping
