// Text as every floor needs it: UTF-8 (read and written by utf8cpp), which may be broken, and the
// case of ASCII letters. Pure.
#pragma once

#include <string>
#include <string_view>

namespace surveybridge::config {

// Well-formed UTF-8 by RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);
// A byte that continues a character: not its first.
bool continues_character(char byte);

// The first `most` bytes, or fewer so that no character is cut.
std::string_view first_bytes(std::string_view text, std::size_t most);
// The first `count` characters.
std::string_view first_characters(std::string_view text, std::size_t count);

// Of well-formed UTF-8, and back.
std::u32string code_points(std::string_view text);
std::string utf8_of(std::u32string_view code_points);

// Two digits for each byte, in small letters.
void append_hex(std::string& out, std::string_view bytes);

// ASCII letters only; all else stays.
std::string lower_case(std::string_view text);
std::string upper_case(std::string_view text);
bool same_ignoring_case(std::string_view a, std::string_view b);

}  // namespace surveybridge::config
