// The only file that includes the tz library: local times to instants and back. Known limit: the
// library reads the transitions that a zone file lists, which end in 2037.
#include <algorithm>
#include <stdexcept>

#include <date/tz.h>

#include "mapping/values/dates.hpp"

namespace surveybridge::mapping {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

// Keeps dates at the ends of the calendar inside the years that databases accept, and different
// from the unset date.
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
  // `first` is the only offset, or the one before a gap, or the earlier one in an overlap.
  return within_years(since_epoch - info.first.offset);
}

LocalTime to_zone(Instant instant, std::string_view zone) {
  const auto info =
      date::locate_zone(std::string(zone))->get_info(std::chrono::floor<seconds>(instant));
  return LocalTime{instant.time_since_epoch() + info.offset};
}

std::vector<ZoneOffset> offsets_of(std::string_view zone, int from_year, int to_year) {
  using namespace std::chrono;
  const auto* found = date::locate_zone(std::string(zone));
  const sys_seconds last = sys_days{year{to_year} / 1 / 1};
  std::vector<ZoneOffset> offsets;
  for (sys_seconds at = sys_days{year{from_year} / 1 / 1}; at < last;) {
    const auto info = found->get_info(at);
    const auto east = floor<minutes>(info.offset);
    if (offsets.empty() || offsets.back().east != east) offsets.push_back({at, east});
    if (info.end <= at) break;
    at = info.end;
  }
  return offsets;
}

}  // namespace surveybridge::mapping
