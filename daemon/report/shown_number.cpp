#include "daemon/report/shown_number.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace surveybridge::daemon {

namespace {

constexpr const char* kHardBlank = "\u00a0";  // it breaks no line

std::string_view sign_of(Unit unit) {
  switch (unit) {
    case Unit::percent:
      return "%";
    case Unit::points:
      return "points";
    case Unit::mean:
    case Unit::score:
      break;
  }
  return "";
}

std::string with_unit(std::string number, Unit unit) {
  const std::string_view sign = sign_of(unit);
  if (!sign.empty()) number.append(kHardBlank).append(sign);
  return number;
}

std::string digits(double value, int decimals) {
  const double scale = std::pow(10, decimals);
  const double rounded = std::round(value * scale) / scale;
  return fmt::format("{:.{}f}", rounded == 0 ? 0.0 : rounded, decimals);
}

bool looks_like_none_or_all(double percent) {
  return (percent > 0 && percent < 0.5) || (percent >= 99.5 && percent < 100);
}

}  // namespace

std::string count_text(std::int64_t count) {
  std::string text = std::to_string(count);
  const std::size_t first = count < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3;)
    text.insert(at -= 3, ",");
  return text;
}

std::string number_text(double value, Unit unit, int decimals) {
  return with_unit(digits(value, decimals), unit);
}

std::string range_text(const mapping::Interval& interval, Unit unit, int decimals) {
  const std::string low = digits(interval.low, decimals), high = digits(interval.high, decimals);
  const bool negative = low.front() == '-' || high.front() == '-';
  return with_unit(low + (negative ? " to " : "–") + high, unit);
}

std::optional<double> part_percent(std::int64_t part, std::int64_t whole) {
  if (whole <= 0) return std::nullopt;
  return 100 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string part_text(std::int64_t part, std::int64_t whole) {
  const auto percent = part_percent(part, whole);
  if (!percent) return "–";
  if (!looks_like_none_or_all(*percent)) return number_text(*percent, Unit::percent, 0);
  if (*percent < 0.05) return with_unit("<0.1", Unit::percent);
  if (*percent >= 99.95) return with_unit(">99.9", Unit::percent);
  return number_text(*percent, Unit::percent, 1);
}

std::string plain_number(double value) {
  std::string text = digits(value, 6);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

int decimals_of_change(const mapping::Interval& interval, int decimals) {
  const auto hides = [&](double end) {
    return end != 0 && std::abs(end) * std::pow(10, decimals) < 0.5;
  };
  while (decimals < 4 && (hides(interval.low) || hides(interval.high)))
    ++decimals;
  return decimals;
}

int decimals_of(double value, const std::optional<mapping::Interval>& interval, Unit unit) {
  if (unit == Unit::mean) return 2;
  const bool narrow = interval && interval->high - interval->low < 2;
  return narrow || (unit == Unit::percent && looks_like_none_or_all(value)) ? 1 : 0;
}

}  // namespace surveybridge::daemon
