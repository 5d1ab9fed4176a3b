#include "mapping/values/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include <locale.h>
#include <uninorm.h>
#include <wctype.h>

#include "config/text.hpp"

namespace surveybridge::mapping {

namespace {

using namespace std::string_view_literals;

constexpr std::array kAsciiBlanks = {" "sv, "\t"sv, "\r"sv, "\n"sv, "\v"sv, "\f"sv};
// White space beyond ASCII, by Unicode's property of that name. U+0085 is written in its bytes.
constexpr std::array kOtherBlanks = {"\xC2\x85"sv, "\u00A0"sv, "\u1680"sv, "\u2000"sv, "\u2001"sv,
                                     "\u2002"sv,   "\u2003"sv, "\u2004"sv, "\u2005"sv, "\u2006"sv,
                                     "\u2007"sv,   "\u2008"sv, "\u2009"sv, "\u200A"sv, "\u2028"sv,
                                     "\u2029"sv,   "\u202F"sv, "\u205F"sv, "\u3000"sv};
constexpr std::array kEdges = {"\u200B"sv, "\uFEFF"sv};
// Those that a text may lose without a change that anybody sees in an address.
constexpr std::array kInvisible = {
    "\u00AD"sv, "\u034F"sv, "\u061C"sv, "\u180E"sv, "\u200B"sv, "\u200C"sv, "\u200D"sv, "\u200E"sv,
    "\u200F"sv, "\u202A"sv, "\u202B"sv, "\u202C"sv, "\u202D"sv, "\u202E"sv, "\u2060"sv, "\u2061"sv,
    "\u2062"sv, "\u2063"sv, "\u2064"sv, "\u2066"sv, "\u2067"sv, "\u2068"sv, "\u2069"sv, "\u206A"sv,
    "\u206B"sv, "\u206C"sv, "\u206D"sv, "\u206E"sv, "\u206F"sv, "\uFEFF"sv};

// The bytes of the one of these characters that the text begins (or ends) with; 0: none.
template <typename Matches>
std::size_t one_of(const auto& characters, const Matches& matches) {
  const auto found = std::ranges::find_if(characters, matches);
  return found == characters.end() ? 0 : found->size();
}
template <typename Matches>
std::size_t blank_of(const Matches& matches) {
  std::size_t size = one_of(kAsciiBlanks, matches);
  if (size == 0) size = one_of(kOtherBlanks, matches);
  return size == 0 ? one_of(kEdges, matches) : size;
}

}  // namespace

bool same_words(std::string_view a, std::string_view b) {
  const auto past_joints = [](std::string_view& name) {
    name.remove_prefix(std::min(name.find_first_not_of("_-"), name.size()));
  };
  while (true) {
    past_joints(a);
    past_joints(b);
    if (a.empty() || b.empty()) return a.empty() && b.empty();
    if (!same_name(a.substr(0, 1), b.substr(0, 1))) return false;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

bool is_decimal(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto point = text.find('.');
  return all_digits(text.substr(0, point)) &&
         (point == std::string_view::npos || all_digits(text.substr(point + 1)));
}

std::string_view without_zero_fraction(std::string_view text) {
  const auto point = text.find('.');
  if (point == std::string_view::npos || point + 1 == text.size()) return text;
  const bool zero = text.find_first_not_of('0', point + 1) == std::string_view::npos;
  return zero ? text.substr(0, point) : text;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(kBlanks) == std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  const auto starts = [&](std::string_view blank) { return text.starts_with(blank); };
  const auto ends = [&](std::string_view blank) { return text.ends_with(blank); };
  while (const std::size_t size = blank_of(starts))
    text.remove_prefix(size);
  while (const std::size_t size = blank_of(ends))
    text.remove_suffix(size);
  return text;
}

std::string visible(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  const auto starts = [&](std::string_view character) { return text.starts_with(character); };
  while (!text.empty()) {
    std::size_t size = 0;
    if (static_cast<unsigned char>(text.front()) < 0x80) {
      kept += text.front();
      size = 1;
    } else if ((size = one_of(kInvisible, starts)) == 0) {
      if ((size = one_of(kOtherBlanks, starts)) != 0) {
        kept += ' ';
      } else {
        kept += text.front();
        size = 1;
      }
    }
    text.remove_prefix(size);
  }
  return kept;
}

bool is_sign(char32_t point) {
  // First and last of each range.
  static constexpr std::array<std::pair<char32_t, char32_t>, 26> kSigns = {
      {{0x0080, 0x00A9},  {0x00AB, 0x00B4}, {0x00B6, 0x00B6}, {0x00B8, 0x00B9}, {0x00BB, 0x00BF},
       {0x00D7, 0x00D7},  {0x00F7, 0x00F7}, {0x060C, 0x060C}, {0x061B, 0x061B}, {0x061F, 0x061F},
       {0x115F, 0x1160},  {0x2000, 0x206F}, {0x20A0, 0x20CF}, {0x2190, 0x2BFF}, {0x2E00, 0x2E7F},
       {0x3000, 0x303F},  {0x3164, 0x3164}, {0xFE00, 0xFE6B}, {0xFEFF, 0xFEFF}, {0xFF00, 0xFF0F},
       {0xFF1A, 0xFF20},  {0xFF3B, 0xFF40}, {0xFF5B, 0xFF65}, {0xFFA0, 0xFFA0}, {0xFFF9, 0xFFFD},
       {0x1F000, 0x1FAFF}}};
  return std::ranges::any_of(
      kSigns, [&](const auto& range) { return point >= range.first && point <= range.second; });
}

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

// `growth`: no text in UTF-8 becomes more than so many times as long in this form.
std::string normalized(uninorm_t form, std::string_view text, std::size_t growth) {
  if (std::ranges::all_of(text, [](unsigned char each) { return each < 0x80; }) || !is_utf8(text))
    return std::string(text);
  std::string made(growth * text.size(), '\0');
  std::size_t size = made.size();
  auto* const out = reinterpret_cast<std::uint8_t*>(made.data());
  if (u8_normalize(form, reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), out,
                   &size) != out)
    return std::string(text);
  made.resize(size);
  return made;
}

}  // namespace

std::string in_small_letters(std::string_view text) {
  const bool ascii = std::ranges::all_of(text, [](char c) { return (c & 0x80) == 0; });
  return ascii ? config::lower_case(text) : each(text, small);
}

std::string in_capitals(std::string_view text) {
  return each(text, capital);
}

std::string composed(std::string_view text) {
  return normalized(UNINORM_NFC, text, 3);
}

std::string in_usual_characters(std::string_view text) {
  if (text.size() > 64 * 1024 || !is_utf8(text)) return std::string(text);
  std::u32string usual = config::code_points(normalized(UNINORM_NFKC, text, 11));
  std::ranges::replace(usual, U'\u3002', U'.');
  std::ranges::replace(usual, U'\u2019', U'\'');
  return config::utf8_of(usual);
}

std::string folded(std::string_view text) {
  constexpr std::string_view kFinal = "\u03C2", kUsual = "\u03C3";
  if (!is_utf8(text)) return config::lower_case(text);
  std::string small_letters = in_small_letters(text);
  for (auto at = small_letters.find(kFinal); at != std::string::npos;
       at = small_letters.find(kFinal, at))
    small_letters.replace(at, kFinal.size(), kUsual);
  return small_letters;
}

}  // namespace surveybridge::mapping
