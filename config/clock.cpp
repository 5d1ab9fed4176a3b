#include "config/clock.hpp"

#include <stdexcept>

#include <date/tz.h>
#include <fmt/format.h>

#include "config/text.hpp"

namespace surveybridge::config {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLongest = std::chrono::hours(24) * 36525;
constexpr std::size_t kMostDigits = 9;  // so few that no unit overflows

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view take(std::string_view& text, bool digits) {
  std::size_t length = 0;
  while (length < text.size() && is_digit(text[length]) == digits)
    ++length;
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(length);
  return taken;
}

}  // namespace

std::optional<milliseconds> read_duration(std::string_view text) {
  milliseconds sum{0};
  std::size_t next_unit = 0;
  while (!text.empty()) {
    const std::string_view digits = take(text, true);
    const auto count = to_number<long>(digits);
    const std::string_view name = take(text, false);
    while (next_unit < kDurationUnits.size() && kDurationUnits[next_unit].name != name)
      ++next_unit;
    if (!count || digits.size() > kMostDigits || next_unit == kDurationUnits.size())
      return std::nullopt;
    sum += *count * kDurationUnits[next_unit++].length;
  }
  if (sum <= milliseconds{0} || sum > kLongest) return std::nullopt;
  return sum;
}

std::string write_duration(milliseconds duration) {
  std::string text;
  for (const DurationUnit& unit : kDurationUnits) {
    const auto count = duration / unit.length;
    if (count > 0) text += fmt::format("{}{}", count, unit.name);
    duration -= count * unit.length;
  }
  return text.empty() ? "0s" : text;
}

std::optional<std::chrono::minutes> read_time_of_day(std::string_view text) {
  if (text.size() != 5 || text[2] != ':') return std::nullopt;
  const auto hour = to_number<unsigned>(text.substr(0, 2)),
             minute = to_number<unsigned>(text.substr(3));
  if (!hour || !minute || *hour > 23 || *minute > 59) return std::nullopt;
  return std::chrono::minutes(*hour * 60 + *minute);
}

std::optional<std::chrono::weekday> read_weekday(std::string_view text) {
  constexpr std::array<std::string_view, 7> kDays{"sunday",   "monday", "tuesday", "wednesday",
                                                  "thursday", "friday", "saturday"};
  for (unsigned day = 0; day < kDays.size(); ++day)
    if (same_ignoring_case(text, kDays[day]) || same_ignoring_case(text, kDays[day].substr(0, 3)))
      return std::chrono::weekday{day};
  return std::nullopt;
}

bool is_zone(const std::string& name) {
  try {
    date::locate_zone(name);
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

std::vector<std::string> zones() {
  std::vector<std::string> names;
  for (const auto& zone : date::get_tzdb().zones)
    names.push_back(zone.name());
  return names;
}

}  // namespace surveybridge::config
