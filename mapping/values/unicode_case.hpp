// Small letters and capitals of every script, whatever the locale of the process. A letter without
// a counterpart of one character ("ß") stays as it is, and so do "İ" and "ı" of Turkish. Throws
// std::runtime_error where the C library lacks the locale C.UTF-8, which knows the letters.
#pragma once

#include <string>
#include <string_view>

namespace surveybridge::mapping {

// Of well-formed UTF-8.
std::string in_small_letters(std::string_view text);
std::string in_capitals(std::string_view text);

// For comparisons, of small letters: "Σ" is the capital of "σ" and of "ς", which ends a word.
std::string with_one_sigma(std::string text);

}  // namespace surveybridge::mapping
