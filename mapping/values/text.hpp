// Text of a CRM: UTF-8 that may be broken, with blanks around it. Pure; copies only where
// necessary.
#pragma once

#include <string>
#include <string_view>

#include "config/text.hpp"

namespace surveybridge::mapping {

using config::first_characters;
using config::is_utf8;
using config::to_number;

// The blanks of JSON, XML and HTTP.
inline constexpr std::string_view kBlanks = " \t\r\n";

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool all_digits(std::string_view text);  // one at least
// What a Decimal may be: optional '-', digits, optional '.' and digits.
bool is_decimal(std::string_view text);
// "7" of "7.0", as some programs write an integer; any other text as it is.
std::string_view without_zero_fraction(std::string_view text);

// Nothing but kBlanks?
bool is_blank(std::string_view text);

// Without blanks at both ends: white space of any script, zero-width space, byte order mark.
std::string_view trimmed(std::string_view text);

// Without characters that nobody sees (zero-width characters, marks of direction, soft hyphens),
// and with a plain blank for each white space beyond ASCII.
std::string visible(std::string_view text);

// Beyond ASCII: is it no letter, digit or accent, but punctuation, a blank or a picture?
bool is_sign(char32_t point);

// Equal except for ASCII case. The service's names are compared like this.
inline bool same_name(std::string_view a, std::string_view b) {
  return config::same_ignoring_case(a, b);
}

// The same without regard to what joins the words of a name: opted_out, opted-out, optedOut.
bool same_words(std::string_view a, std::string_view b);

// Small letters and capitals of every script, of well-formed UTF-8, whatever the locale of the
// process. A letter without a counterpart of one character ("ß") stays as it is, and so do "İ" and
// "ı" of Turkish. They throw std::runtime_error where the C library lacks the locale C.UTF-8, which
// knows the letters.
std::string in_small_letters(std::string_view text);
std::string in_capitals(std::string_view text);

// A letter and the accent behind it as one character, where there is one (Unicode's form NFC). A
// text that is not UTF-8 stays as it is.
std::string composed(std::string_view text);

// What is written with full-width letters and signs, ligatures, the dots of other scripts or a
// printer's apostrophe, in the usual characters. A text of more than 64 KiB, or one that is not
// UTF-8, stays as it is.
std::string in_usual_characters(std::string_view text);

// For comparisons: small letters with one sigma, for "Σ" is the capital of "σ" and of "ς", which
// ends a word. Of a text that is not UTF-8 only the ASCII letters.
std::string folded(std::string_view text);

}  // namespace surveybridge::mapping
