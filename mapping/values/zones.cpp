// The one file that knows the tz library: wall clocks as instants and back.
// Known limit: the library reads the transitions that a zone file lists, which end in 2037.
#include <algorithm>
#include <stdexcept>

#include <date/tz.h>

#include "mapping/values/dates.hpp"

namespace surveybridge::mapping {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

// What a zone makes of the far ends of the calendar stays inside the years that databases take, and
// is not the unset date, which begins them.
Instant within_years(microseconds since_epoch) {
  using namespace std::chrono;
  constexpr Instant first = sys_days{year{1} / 1 / 1} + microseconds{1};
  constexpr Instant last = sys_days{year{10000} / 1 / 1} - microseconds{1};
  return std::clamp(Instant{since_epoch}, first, last);
}

}  // namespace

bool is_zone(std::string_view name) {
  try {
    return date::locate_zone(std::string(name)) != nullptr;
  } catch (const std::runtime_error&) {
    return false;
  }
}

Instant in_zone(LocalTime local, std::string_view zone) {
  const auto since_epoch = local.time_since_epoch();
  const auto info = date::locate_zone(std::string(zone))
                        ->get_info(date::local_seconds{std::chrono::floor<seconds>(since_epoch)});
  // `first` is the only offset, the one before a gap, and the earlier of two in an overlap.
  return within_years(since_epoch - info.first.offset);
}

LocalTime to_zone(Instant instant, std::string_view zone) {
  const auto info =
      date::locate_zone(std::string(zone))->get_info(std::chrono::floor<seconds>(instant));
  return LocalTime{instant.time_since_epoch() + info.offset};
}

}  // namespace surveybridge::mapping
