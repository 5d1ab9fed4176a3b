#include "mapping/values/unicode_case.hpp"

#include <algorithm>
#include <stdexcept>

#include <locale.h>
#include <wctype.h>

#include "config/text.hpp"

namespace surveybridge::mapping {
namespace {

// Their counterparts are ASCII's, which have others of their own.
constexpr char32_t kDottedCapitalI = 0x0130, kDotlessSmallI = 0x0131;

// It knows the letters of every script.
locale_t utf8_locale() {
  static const locale_t made = [] {
    const locale_t opened = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    if (opened == nullptr) throw std::runtime_error("the system has no locale C.UTF-8");
    return opened;
  }();
  return made;
}

char32_t small(char32_t letter) {
  if (letter == kDottedCapitalI) return letter;
  return static_cast<char32_t>(towlower_l(static_cast<wint_t>(letter), utf8_locale()));
}

char32_t capital(char32_t letter) {
  if (letter == kDotlessSmallI) return letter;
  return static_cast<char32_t>(towupper_l(static_cast<wint_t>(letter), utf8_locale()));
}

std::string each(std::string_view text, char32_t (*change)(char32_t)) {
  std::u32string letters = config::code_points(text);
  std::ranges::transform(letters, letters.begin(), change);
  return config::utf8_of(letters);
}

}  // namespace

std::string in_small_letters(std::string_view text) {
  const bool ascii = std::ranges::all_of(text, [](char c) { return (c & 0x80) == 0; });
  return ascii ? config::lower_case(text) : each(text, small);
}

std::string in_capitals(std::string_view text) {
  return each(text, capital);
}

std::string with_one_sigma(std::string text) {
  constexpr std::string_view kFinal = "\u03C2", kUsual = "\u03C3";
  for (auto at = text.find(kFinal); at != std::string::npos; at = text.find(kFinal, at))
    text.replace(at, kFinal.size(), kUsual);
  return text;
}

}  // namespace surveybridge::mapping
