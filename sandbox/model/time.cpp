#include "sandbox/model/time.hpp"

#include <algorithm>
#include <regex>

#include <date/date.h>
#include <fmt/format.h>

#include "sandbox/model/text.hpp"

namespace sandbox {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;
using std::chrono::minutes;

constexpr TimePoint kFirst{date::sys_days(date::year(1) / 1 / 1)};
constexpr TimePoint kLast = TimePoint{date::sys_days(date::year(10000) / 1 / 1)} - 1us;

// No digits: nothing, as 0.
int number_of(const std::string& digits) {
  return static_cast<int>(whole_number(digits).value_or(0));
}

// Z, +hh:mm or -hh:mm, up to 14 hours.
std::optional<minutes> read_offset(const std::string& text) {
  if (text == "Z") return 0min;
  const int hour = number_of(text.substr(1, 2)), minute = number_of(text.substr(4));
  const minutes offset(hour * 60 + minute);
  if (minute > 59 || offset > 14h) return std::nullopt;
  return text.front() == '-' ? -offset : offset;
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
  // A date; then a time with seconds and their fraction, or without; then an offset, or none.
  static const std::regex kForm(R"((\d{4})-(\d\d)-(\d\d))"
                                R"((T(\d\d):(\d\d)(:(\d\d)(\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)?)?)");
  std::match_results<std::string_view::const_iterator> found;
  if (!std::regex_match(text.begin(), text.end(), found, kForm)) return std::nullopt;
  const auto part = [&](std::size_t at) { return number_of(found.str(at)); };
  const date::year_month_day day{date::year(part(1)), date::month(static_cast<unsigned>(part(2))),
                                 date::day(static_cast<unsigned>(part(3)))};
  if (!day.ok() || part(1) < 1 || part(5) > 23 || part(6) > 59 || part(8) > 59) return std::nullopt;
  std::string fraction = found.str(10);
  fraction.resize(6, '0');
  ReadDate read;
  read.local = date::sys_days(day) + part(5) * 1h + part(6) * 1min + part(8) * 1s +
               microseconds(number_of(fraction));
  read.date_only = !found[4].matched;
  if (!found[11].matched) return read;
  read.offset = read_offset(found.str(11));
  if (!read.offset) return std::nullopt;
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
    const std::int64_t count = whole_number(text.substr(0, digits)).value_or(0);
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
