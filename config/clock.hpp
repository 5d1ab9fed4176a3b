// Lengths of time and times of day as the configuration writes them: "500ms", "1h30m", "7d",
// "10:00"; weekdays; names of time zones.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace surveybridge::config {

struct DurationUnit {
  std::string_view name;
  std::chrono::milliseconds length;
};
inline constexpr std::array kDurationUnits{
    DurationUnit{"d", std::chrono::hours(24)},        DurationUnit{"h", std::chrono::hours(1)},
    DurationUnit{"m", std::chrono::minutes(1)},       DurationUnit{"s", std::chrono::seconds(1)},
    DurationUnit{"ms", std::chrono::milliseconds(1)},
};

// Whole numbers with the units d, h, m, s, ms, each at most once, from long to short. Above zero
// and at most 100 years; empty for anything else.
std::optional<std::chrono::milliseconds> read_duration(std::string_view text);
// The shortest text that is read as the same duration; "0s" for zero.
std::string write_duration(std::chrono::milliseconds duration);

// "00:00" to "23:59".
std::optional<std::chrono::minutes> read_time_of_day(std::string_view text);

// "Monday" or "Mon", in any case.
std::optional<std::chrono::weekday> read_weekday(std::string_view text);

// Is this an IANA zone of the system's database?
bool is_zone(const std::string& name);
// All of them, for suggestions.
std::vector<std::string> zones();

}  // namespace surveybridge::config
