// Dates as the service writes and reads them: ISO 8601 (docs/SERVICE.md 2). Pure.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sandbox {

using TimePoint = std::chrono::sys_time<std::chrono::microseconds>;
using Clock = std::function<TimePoint()>;

struct DateStyle {
  int digits = -1;  // of the fraction: 0 to 9; -1: as many as needed
  enum class Zone { z, offset, none } zone = Zone::z;
  std::chrono::minutes offset{0};  // the service's zone, for Zone::offset and Zone::none
};

// An instant that the style's offset leads out of the years 1 to 9999 is written as the first or
// the last that they hold.
std::string write_date(TimePoint instant, const DateStyle& style);
std::string write_http_date(TimePoint instant);  // for Retry-After

struct ReadDate {
  TimePoint local;                             // as written
  std::optional<std::chrono::minutes> offset;  // nullopt: written without one
  bool date_only = false;

  TimePoint instant(std::chrono::minutes service_offset) const {
    return local - offset.value_or(service_offset);
  }
};

// A date, or a date and a time with up to 9 digits of fraction (finer than a microsecond is cut).
// nullopt: not such a date, not in the calendar, or an instant outside of the years 1 to 9999.
std::optional<ReadDate> read_date(std::string_view text);

// "90s", "15m", "3d12h"; nullopt: not a duration.
std::optional<std::chrono::microseconds> read_duration(std::string_view text);

}  // namespace sandbox
