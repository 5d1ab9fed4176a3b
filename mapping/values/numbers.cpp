#include "mapping/values/numbers.hpp"

#include <algorithm>
#include <array>

namespace surveybridge::mapping {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kLongest = 100;

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// The digits of "1.234.567"; nothing if the groups do not have three digits.
std::optional<std::string> without_groups(std::string_view text, std::string_view part) {
  std::string digits;
  for (bool first = true;; first = false) {
    const auto end = std::min(text.find(part), text.size());
    const std::string_view group = text.substr(0, end);
    if (!all_digits(group) || (first ? group.size() > 3 : group.size() != 3)) return std::nullopt;
    digits += group;
    if (end == text.size()) return digits;
    text.remove_prefix(end + part.size());
  }
}

std::optional<std::string> whole_digits(std::string_view text, char point) {
  if (all_digits(text)) return std::string(text);
  const std::array parts = {
      point == ',' ? "."sv : ","sv, " "sv, "\u00A0"sv, "\u202F"sv, "'"sv, "\u2019"sv};
  for (const std::string_view part : parts) {
    if (text.find(part) != text.npos) return without_groups(text, part);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Decimal> read_number(std::string_view text, char point) {
  if (text.size() > kLongest) return std::nullopt;
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const auto at = text.find(point);
  const auto whole = whole_digits(text.substr(0, at), point);
  if (!whole) return std::nullopt;
  std::string number = (negative ? "-" : "") + *whole;
  if (at != text.npos) {
    const std::string_view decimals = text.substr(at + 1);
    if (!all_digits(decimals)) return std::nullopt;
    number += '.';
    number += decimals;
  }
  return Decimal{std::move(number)};
}

}  // namespace surveybridge::mapping
