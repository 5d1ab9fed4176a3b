// Text as every floor needs it: UTF-8 (read and written by utf8cpp), which may be broken, numbers,
// the case of ASCII letters, and how messages show a text that somebody else wrote. Pure.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace surveybridge::config {

// Well-formed UTF-8 by RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);
// With U+FFFD for each byte that is none.
std::string well_formed(std::string_view text);
// A byte that continues a character: not its first.
bool continues_character(char byte);

// The first `most` bytes, or fewer so that no character is cut.
std::string_view first_bytes(std::string_view text, std::size_t most);
// The first `count` characters.
std::string_view first_characters(std::string_view text, std::size_t count);

// Of well-formed UTF-8, and back.
std::u32string code_points(std::string_view text);
std::string utf8_of(std::u32string_view code_points);

// How many bytes of a character stand at the beginning of well-formed UTF-8, which is not empty,
// that is a command to a terminal (DEL, U+0080 to U+009F) or turns or hides the letters beside it.
// 0: it begins with another one.
std::size_t hidden_at(std::string_view text);

// Two digits for each byte, in small letters.
void append_hex(std::string& out, std::string_view bytes);

// The whole text as a number: digits, with a minus before them where the type is signed. Empty: it
// is something else, or too large.
template <class Number>
std::optional<Number> to_number(std::string_view text, int base = 10) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base);
  return error == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

// The whole text as a finite number: an optional minus, digits, and optionally a point with digits.
std::optional<double> to_real(std::string_view text);

// ASCII letters only; all else stays.
std::string lower_case(std::string_view text);
std::string upper_case(std::string_view text);
bool same_ignoring_case(std::string_view a, std::string_view b);

// In messages: short, on one line, without control characters. Nothing here can tell what is
// secret; a caller with a secret does not show it. "text" in double quotes, escaped, cut after 60
// characters.
std::string quoted(std::string_view text);
// For a std::string the compiler finds std::quoted as well: these match better.
inline std::string quoted(const char* text) {
  return quoted(std::string_view(text));
}
inline std::string quoted(const std::string& text) {
  return quoted(std::string_view(text));
}
inline std::string quoted(std::string& text) {
  return quoted(std::string_view(text));
}

// A dotted path one step longer, quoted where TOML needs it: push.orders."a b".
std::string dotted(const std::string& path, std::string_view key);

// "a", "b" or "c".
std::string listed(const std::vector<std::string>& words);

// A name that goes into SQL, paths or headers: not empty, at most 128 bytes, no control character.
bool is_name(std::string_view text);
bool has_control(std::string_view text);

}  // namespace surveybridge::config
