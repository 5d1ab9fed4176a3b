#include "mapping/values/unicode_case.hpp"

#include <algorithm>
#include <array>

#include "config/text.hpp"

namespace surveybridge::mapping {
namespace {

// Capitals from `first` to `last`, every `step`; their small letters are `apart` code points later.
struct Range {
  char32_t first, last;
  char32_t step;
  int apart;
};
constexpr std::array kRanges = {
    Range{'A', 'Z', 1, 32},       Range{0x00C0, 0x00D6, 1, 32},   Range{0x00D8, 0x00DE, 1, 32},
    Range{0x0100, 0x012E, 2, 1},  Range{0x0132, 0x0136, 2, 1},    Range{0x0139, 0x0147, 2, 1},
    Range{0x014A, 0x0176, 2, 1},  Range{0x0178, 0x0178, 1, -121}, Range{0x0179, 0x017D, 2, 1},
    Range{0x0218, 0x021A, 2, 1},  Range{0x0386, 0x0386, 1, 38},   Range{0x0388, 0x038A, 1, 37},
    Range{0x038C, 0x038C, 1, 64}, Range{0x038E, 0x038F, 1, 63},   Range{0x0391, 0x03A1, 1, 32},
    Range{0x03A3, 0x03AB, 1, 32}, Range{0x0400, 0x040F, 1, 80},   Range{0x0410, 0x042F, 1, 32},
    Range{0x0490, 0x0490, 1, 1},  Range{0x1E00, 0x1E94, 2, 1},    Range{0x1EA0, 0x1EFE, 2, 1},
};
constexpr char32_t kFinalSigma = 0x03C2, kSigma = 0x03A3;

char32_t moved(char32_t letter, int by) {
  return static_cast<char32_t>(static_cast<int>(letter) + by);
}

char32_t small(char32_t letter) {
  for (const Range& range : kRanges) {
    const bool in = letter >= range.first && letter <= range.last;
    if (in && (letter - range.first) % range.step == 0) return moved(letter, range.apart);
  }
  return letter;
}

char32_t capital(char32_t letter) {
  if (letter == kFinalSigma) return kSigma;
  for (const Range& range : kRanges) {
    const char32_t of = moved(letter, -range.apart);
    const bool in = of >= range.first && of <= range.last;
    if (in && (of - range.first) % range.step == 0) return of;
  }
  return letter;
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

}  // namespace surveybridge::mapping
