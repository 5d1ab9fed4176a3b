#include "sandbox/values/time.hpp"

#include <algorithm>
#include <charconv>

#include <date/date.h>
#include <fmt/format.h>

namespace sandbox {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;
using std::chrono::minutes;

constexpr TimePoint kFirst{date::sys_days(date::year(1) / 1 / 1)};
constexpr TimePoint kLast = TimePoint{date::sys_days(date::year(10000) / 1 / 1)} - 1us;

// Removes fixed numbers of digits and single characters from the front of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }

  bool accept(char c) {
    if (peek() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Exactly `count` digits.
  std::optional<int> digits(std::size_t count) {
    if (run() < count) return std::nullopt;
    int value = 0;
    std::from_chars(rest_.data(), rest_.data() + count, value);
    rest_.remove_prefix(count);
    return value;
  }

  // The number of digits that come next.
  std::size_t run() const {
    const auto end = rest_.find_first_not_of("0123456789");
    return end == rest_.npos ? rest_.size() : end;
  }

 private:
  std::string_view rest_;
};

std::optional<date::sys_days> read_day(Scanner& in) {
  const auto year = in.digits(4);
  if (!year || !in.accept('-')) return std::nullopt;
  const auto month = in.digits(2);
  if (!month || !in.accept('-')) return std::nullopt;
  const auto day = in.digits(2);
  if (!day) return std::nullopt;
  const auto found = date::year(*year) / *month / *day;
  if (!found.ok() || found.year() < date::year(1)) return std::nullopt;
  return date::sys_days(found);
}

std::optional<microseconds> read_fraction(Scanner& in) {
  const auto count = in.run();
  if (count < 1 || count > 9) return std::nullopt;
  const auto kept = std::min<std::size_t>(count, 6);
  int value = *in.digits(kept);
  for (auto at = kept; at < 6; ++at)
    value *= 10;
  in.digits(count - kept);
  return microseconds(value);
}

std::optional<microseconds> read_clock(Scanner& in) {
  const auto hour = in.digits(2);
  if (!hour || *hour > 23 || !in.accept(':')) return std::nullopt;
  const auto minute = in.digits(2);
  if (!minute || *minute > 59) return std::nullopt;
  microseconds time = *hour * 1h + *minute * 1min;
  if (!in.accept(':')) return time;
  const auto second = in.digits(2);
  if (!second || *second > 59) return std::nullopt;
  time += *second * 1s;
  if (!in.accept('.')) return time;
  const auto fraction = read_fraction(in);
  if (!fraction) return std::nullopt;
  return time + *fraction;
}

// Z, +hh:mm or -hh:mm, up to 14 hours.
std::optional<minutes> read_offset(Scanner& in) {
  if (in.accept('Z')) return 0min;
  const bool west = in.peek() == '-';
  if (!in.accept('+') && !in.accept('-')) return std::nullopt;
  const auto hour = in.digits(2);
  if (!hour || !in.accept(':')) return std::nullopt;
  const auto minute = in.digits(2);
  if (!minute || *minute > 59 || *hour * 60 + *minute > 14 * 60) return std::nullopt;
  const minutes offset(*hour * 60 + *minute);
  return west ? -offset : offset;
}

std::string fraction_text(microseconds fraction, int digits) {
  std::string text = fmt::format("{:06}", fraction.count());
  if (digits < 0) {
    text.erase(text.find_last_not_of('0') + 1);
  } else {
    text.resize(static_cast<std::size_t>(digits), '0');
  }
  return text.empty() ? text : "." + text;
}

std::string zone_text(const DateStyle& style) {
  if (style.zone == DateStyle::Zone::z) return "Z";
  if (style.zone == DateStyle::Zone::none) return "";
  const auto size = std::chrono::abs(style.offset).count();
  return fmt::format("{}{:02}:{:02}", style.offset < 0min ? '-' : '+', size / 60, size % 60);
}

std::optional<microseconds> unit(std::string_view name) {
  if (name == "ms") return 1ms;
  if (name == "s") return 1s;
  if (name == "m") return 1min;
  if (name == "h") return 1h;
  if (name == "d") return 24h;
  return std::nullopt;
}

}  // namespace

std::string write_date(TimePoint instant, const DateStyle& style) {
  const minutes offset = style.zone == DateStyle::Zone::z ? 0min : style.offset;
  const TimePoint shown = std::clamp(instant + offset, kFirst, kLast);
  const auto day = date::floor<date::days>(shown);
  const date::year_month_day ymd(day);
  const date::hh_mm_ss<microseconds> clock(shown - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}{}", static_cast<int>(ymd.year()),
                     static_cast<unsigned>(ymd.month()), static_cast<unsigned>(ymd.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     fraction_text(clock.subseconds(), style.digits), zone_text(style));
}

std::string write_http_date(TimePoint instant) {
  return date::format("%a, %d %b %Y %H:%M:%S GMT", date::floor<std::chrono::seconds>(instant));
}

std::optional<ReadDate> read_date(std::string_view text) {
  Scanner in(text);
  ReadDate read;
  const auto day = read_day(in);
  if (!day) return std::nullopt;
  read.local = *day;
  read.date_only = in.done();
  if (read.date_only) return read;
  if (!in.accept('T')) return std::nullopt;
  const auto clock = read_clock(in);
  if (!clock) return std::nullopt;
  read.local += *clock;
  if (in.done()) return read;
  read.offset = read_offset(in);
  if (!read.offset || !in.done()) return std::nullopt;
  const TimePoint instant = read.instant(0min);
  if (instant < kFirst || instant > kLast) return std::nullopt;
  return read;
}

std::optional<microseconds> read_duration(std::string_view text) {
  constexpr int kMostDigits = 9;
  if (text.empty()) return std::nullopt;
  microseconds total{0};
  while (!text.empty()) {
    const auto digits = text.find_first_not_of("0123456789");
    if (digits == text.npos || digits == 0 || digits > kMostDigits) return std::nullopt;
    std::int64_t count = 0;
    std::from_chars(text.data(), text.data() + digits, count);
    text.remove_prefix(digits);
    const auto letters = std::min(text.find_first_of("0123456789"), text.size());
    const auto length = unit(text.substr(0, letters));
    if (!length || count > std::chrono::years(1000) / *length) return std::nullopt;
    total += count * *length;
    text.remove_prefix(letters);
  }
  return total;
}

}  // namespace sandbox
