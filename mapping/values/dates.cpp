// Dates as texts, and local times to instants and back by the tz library. Known limit: the library
// reads the transitions that a zone file lists, which end in 2037.
#include "mapping/values/dates.hpp"

#include <algorithm>
#include <array>

#include <date/tz.h>
#include <fmt/core.h>

namespace surveybridge::mapping {

namespace {

using namespace std::chrono;

// Reads a text from the left. Every step takes exactly what it asks for, or fails.
class Text {
 public:
  explicit Text(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::optional<int> digit() {
    if (rest_.empty() || rest_.front() < '0' || rest_.front() > '9') return std::nullopt;
    const int value = rest_.front() - '0';
    rest_.remove_prefix(1);
    return value;
  }
  // Exactly `count` digits.
  std::optional<int> number(int count) {
    int value = 0;
    for (; count > 0; --count) {
      const auto next = digit();
      if (!next) return std::nullopt;
      value = value * 10 + *next;
    }
    return value;
  }

 private:
  std::string_view rest_;
};

struct Clock {
  microseconds since_midnight{0};
  bool finer = false;
};

std::optional<local_days> read_day(Text& text) {
  const auto y = text.number(4);
  if (!y || *y == 0 || !text.take('-')) return std::nullopt;
  const auto m = text.number(2);
  if (!m || !text.take('-')) return std::nullopt;
  const auto d = text.number(2);
  if (!d) return std::nullopt;
  const auto day =
      year{*y} / month{static_cast<unsigned>(*m)} / std::chrono::day(static_cast<unsigned>(*d));
  if (!day.ok()) return std::nullopt;
  return local_days{day};
}

// One to nine digits after the point.
bool read_fraction(Text& text, Clock& clock) {
  int count = 0;
  int unit = 100'000;  // of the next digit, in microseconds
  while (const auto digit = text.digit()) {
    if (++count > 9) return false;
    clock.since_midnight += microseconds{*digit * unit};
    if (unit == 0 && *digit != 0) clock.finer = true;
    unit /= 10;
  }
  return count > 0;
}

std::optional<Clock> read_clock(Text& text) {
  const auto hour = text.number(2);
  if (!hour || *hour > 23 || !text.take(':')) return std::nullopt;
  const auto minute = text.number(2);
  if (!minute || *minute > 59) return std::nullopt;
  Clock clock{hours{*hour} + minutes{*minute}};
  if (!text.take(':')) return clock;
  const auto second = text.number(2);
  if (!second || *second > 59) return std::nullopt;
  clock.since_midnight += seconds{*second};
  if (text.take('.') && !read_fraction(text, clock)) return std::nullopt;
  return clock;
}

// What follows '+' or '-': hh, hhmm or hh:mm. No place is farther than 14 hours from UTC.
std::optional<minutes> read_distance(Text& text) {
  const auto hour = text.number(2);
  if (!hour) return std::nullopt;
  if (text.at_end()) return *hour <= 14 ? std::optional<minutes>{hours{*hour}} : std::nullopt;
  text.take(':');
  const auto minute = text.number(2);
  if (!minute || *minute > 59) return std::nullopt;
  const minutes distance = hours{*hour} + minutes{*minute};
  return distance <= hours{14} ? std::optional{distance} : std::nullopt;
}

std::optional<minutes> read_offset(Text& text) {
  if (text.take('Z')) return minutes{0};
  if (text.take('+')) return read_distance(text);
  if (!text.take('-')) return std::nullopt;
  const auto distance = read_distance(text);
  return distance ? std::optional{-*distance} : std::nullopt;
}

constexpr sys_days kFirstDay{year{1} / 1 / 1};
constexpr sys_days kDayAfterLast{year{10000} / 1 / 1};

}  // namespace

std::optional<ReadDate> read_date(std::string_view input) {
  Text text(input);
  const auto day = read_day(text);
  if (!day) return std::nullopt;
  Clock clock;
  if (!text.at_end()) {
    if (!text.take('T') && !text.take(' ')) return std::nullopt;
    const auto read = read_clock(text);
    if (!read) return std::nullopt;
    clock = *read;
  }
  const LocalTime local = *day + clock.since_midnight;
  std::optional<minutes> offset;
  if (!text.at_end()) {
    offset = read_offset(text);
    if (!offset || !text.at_end()) return std::nullopt;
  }
  if (local.time_since_epoch() == kFirstDay.time_since_epoch()) return ReadDate{Null{}};
  if (!offset) return ReadDate{local, clock.finer};
  const Instant instant{local.time_since_epoch() - *offset};
  if (instant == kFirstDay) return ReadDate{Null{}};  // the unset date, written in another zone
  if (instant < kFirstDay || instant >= kDayAfterLast) return std::nullopt;
  return ReadDate{instant, clock.finer};
}

namespace {

// A number of 0 or more, with zeros in front. Every row has several dates, and fmt would take most
// of the time of writing it.
void append_number(std::string& out, std::int64_t number, int digits) {
  std::array<char, 20> text{};
  const auto size = static_cast<std::size_t>(digits);
  for (std::size_t at = size; at-- > 0; number /= 10)
    text.at(at) = static_cast<char>('0' + number % 10);
  out.append(text.data(), size);
}

// The years of Instant's dates have four digits; others are written as they are.
std::string write_day_and_clock(microseconds since_epoch, char between) {
  const auto day = floor<days>(since_epoch);
  const year_month_day date{sys_days{day}};
  const hh_mm_ss clock{floor<seconds>(since_epoch - day)};
  const int year = static_cast<int>(date.year());
  std::string text;
  text.reserve(32);
  if (year >= 0 && year <= 9999) {
    append_number(text, year, 4);
  } else {
    text = fmt::format("{:04}", year);
  }
  text += '-';
  append_number(text, static_cast<unsigned>(date.month()), 2);
  text += '-';
  append_number(text, static_cast<unsigned>(date.day()), 2);
  text += between;
  append_number(text, clock.hours().count(), 2);
  text += ':';
  append_number(text, clock.minutes().count(), 2);
  text += ':';
  append_number(text, clock.seconds().count(), 2);
  return text;
}

std::string six_digits(microseconds since_epoch) {
  std::string text = ".";
  append_number(text, (since_epoch - floor<seconds>(since_epoch)).count(), 6);
  return text;
}

// Only the digits that are needed: ".5", and nothing for a whole second.
std::string shortest_fraction(microseconds since_epoch) {
  std::string fraction = six_digits(since_epoch);
  fraction.resize(fraction.find_last_not_of('0') + 1);
  return fraction == "." ? "" : fraction;
}

}  // namespace

std::string write_instant(Instant instant) {
  const auto since_epoch = instant.time_since_epoch();
  return write_day_and_clock(since_epoch, 'T') + shortest_fraction(since_epoch) + "Z";
}

std::string write_timestamp(Instant instant) {
  const auto since_epoch = instant.time_since_epoch();
  return write_day_and_clock(since_epoch, ' ') + six_digits(since_epoch);
}

std::string write_local(LocalTime local) {
  const auto since_epoch = local.time_since_epoch();
  return write_day_and_clock(since_epoch, 'T') + shortest_fraction(since_epoch);
}

namespace {

// Keeps dates at the ends of the calendar inside the years that databases accept, and different
// from the unset date.
Instant within_years(microseconds since_epoch) {
  constexpr Instant first = sys_days{year{1} / 1 / 1} + microseconds{1};
  constexpr Instant last = sys_days{year{10000} / 1 / 1} - microseconds{1};
  return std::clamp(Instant{since_epoch}, first, last);
}

}  // namespace

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
