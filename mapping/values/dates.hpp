// Instants from text and from local times. Pure: zones come from the system's tz database, which is
// read-only. Follows docs/SERVICE.md 2.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/values/value.hpp"

namespace surveybridge::mapping {

// The result of reading a text.
struct ReadDate {
  Value value;         // Instant where the text had an offset, LocalTime where it had none,
                       // Null for the unset date 0001-01-01T00:00:00, as a wall clock with any
                       // offset or none, or as an instant
  bool finer = false;  // non-zero digits beyond microseconds were cut
};

// Reads "2026-11-01", "2026-11-01T10:00", "2026-11-01 10:00:00.1234567+01", "…Z". A date without a
// time means midnight. 0 to 9 fractional digits; 'T' or blank; offsets ±hh, ±hhmm, ±hh:mm. Years
// 0001 to 9999. Empty for anything else.
std::optional<ReadDate> read_date(std::string_view text);

// A local time in a zone. In the gap of a daylight-saving change it is read with the offset before
// the gap (02:30 becomes 03:30 summer time); in an overlap the first instant is taken. Throws
// std::runtime_error for an unknown zone (checked when the configuration is loaded).
Instant in_zone(LocalTime local, std::string_view zone);
LocalTime to_zone(Instant instant, std::string_view zone);

// A zone's offset from UTC since a moment.
struct ZoneOffset {
  Instant since;
  std::chrono::minutes east;
};
// The offsets of a zone from the beginning of one year up to that of another, in the order of time;
// at least one. Seconds of an offset are cut. Throws as in_zone().
std::vector<ZoneOffset> offsets_of(std::string_view zone, int from_year, int to_year);

// "2026-11-01T10:00:00Z", with only as many of the 6 fractional digits as are needed.
std::string write_instant(Instant instant);
// "2026-11-01 10:00:00.000000": always UTC, for a timestamp without zone.
std::string write_timestamp(Instant instant);
std::string write_local(LocalTime local);  // "2026-11-01T10:00:00"

}  // namespace surveybridge::mapping
