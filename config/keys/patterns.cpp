#include "config/keys/patterns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "config/clock.hpp"

namespace surveybridge::config {

// Each alternative is the longest run from `least` on in which one digit varies and those behind it
// take every value: of 1 to 3650 they are [1-9], [1-9][0-9], …, 36[0-4][0-9] and 365[0-0].
std::string integer_pattern(std::int64_t least, std::int64_t most) {
  std::string any;
  while (least <= most) {
    std::int64_t place = 1;  // of the digit that varies
    int behind = 0;
    for (; least >= place * 10 && least % (place * 10) == 0 && least + place * 10 - 1 <= most;
         ++behind)
      place *= 10;
    const auto digit = least / place % 10, before = least / place / 10;
    const auto values = std::min(10 - digit, (most - least + 1) / place);
    any += fmt::format("{}{}[{}-{}]{}", any.empty() ? "" : "|",
                       before > 0 ? std::to_string(before) : "", digit, digit + values - 1,
                       behind > 0 ? fmt::format("[0-9]{{{}}}", behind) : "");
    least += values * place;
  }
  return "0*(" + any + ")";
}

std::string bounds_pattern(Milliseconds least, Milliseconds most) {
  std::string pattern = "[a-z][0-9]";
  for (const auto& [name, length] : kDurationUnits) {
    const std::int64_t to = most / length;
    const auto from = std::max<std::int64_t>((least + length - Milliseconds{1}) / length, 1);
    if (from <= to) pattern += fmt::format("|^{}{}$", integer_pattern(from, to), name);
  }
  return pattern;
}

}  // namespace surveybridge::config
