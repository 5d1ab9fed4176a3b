#include "config/keys/clock.hpp"

#include <array>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

namespace surveybridge::config {
namespace {

using std::chrono::milliseconds;

struct Unit {
  std::string_view name;
  milliseconds length;
};
constexpr std::array kUnits{
    Unit{"d", std::chrono::hours(24)},  Unit{"h", std::chrono::hours(1)},
    Unit{"m", std::chrono::minutes(1)}, Unit{"s", std::chrono::seconds(1)},
    Unit{"ms", milliseconds(1)},
};
constexpr milliseconds kLongest = std::chrono::hours(24) * 36525;
constexpr std::size_t kMostDigits = 9;

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

std::string_view take(std::string_view& text, bool digits) {
  std::size_t length = 0;
  while (length < text.size() && is_digit(text[length]) == digits)
    ++length;
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(length);
  return taken;
}

// Digits only, and few enough that no unit overflows.
std::optional<long> number(std::string_view digits) {
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  long value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

}  // namespace

std::optional<milliseconds> read_duration(std::string_view text) {
  milliseconds sum{0};
  std::size_t next_unit = 0;
  while (!text.empty()) {
    const auto count = number(take(text, true));
    const std::string_view name = take(text, false);
    while (next_unit < kUnits.size() && kUnits[next_unit].name != name)
      ++next_unit;
    if (!count || next_unit == kUnits.size()) return std::nullopt;
    sum += *count * kUnits[next_unit++].length;
  }
  if (sum <= milliseconds{0} || sum > kLongest) return std::nullopt;
  return sum;
}

std::string write_duration(milliseconds duration) {
  std::string text;
  for (const Unit& unit : kUnits) {
    const auto count = duration / unit.length;
    if (count > 0) text += fmt::format("{}{}", count, unit.name);
    duration -= count * unit.length;
  }
  return text.empty() ? "0s" : text;
}

std::optional<std::chrono::minutes> read_time_of_day(std::string_view text) {
  if (text.size() != 5 || text[2] != ':') return std::nullopt;
  for (const std::size_t at : {0U, 1U, 3U, 4U}) {
    if (!is_digit(text[at])) return std::nullopt;
  }
  const long hour = *number(text.substr(0, 2));
  const long minute = *number(text.substr(3));
  if (hour > 23 || minute > 59) return std::nullopt;
  return std::chrono::minutes(hour * 60 + minute);
}

}  // namespace surveybridge::config
