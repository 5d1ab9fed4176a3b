#include "connectors/service/retry_after.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <locale>
#include <sstream>
#include <string>

#include <date/date.h>

#include "mapping/values/dates.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::service {

namespace {

using mapping::all_digits;

// Digits as a number; what does not fit is larger than everything that is understood.
std::int64_t saturated(std::string_view digits) {
  return mapping::to_number<std::int64_t>(digits).value_or(
      std::numeric_limits<std::int64_t>::max());
}

Wait bounded(Wait wait) {
  return std::clamp(wait, Wait{0}, kWaitMax);
}

// The wait until a moment that is so far ahead. Where that is too far, it is a mistake of which
// nothing but "later" can be believed.
Wait believed(Wait ahead) {
  return ahead > kWaitMax ? kWaitUnclear : bounded(ahead);
}

// The wait until a moment that is written as a number since 1970, in seconds, milliseconds,
// microseconds or nanoseconds; nullopt: it is no such number.
std::optional<Wait> since_1970(std::int64_t number, mapping::Instant now) {
  constexpr std::int64_t kFrom = 1'000'000'000, kBefore = 10'000'000'000;  // 2001 to 2286
  std::int64_t unit = 1;
  for (int thousands = 0; thousands < 4; ++thousands, unit *= 1000) {
    const std::int64_t seconds = number / unit;
    if (seconds < kFrom || seconds >= kBefore) continue;
    const Wait rest{thousands == 0 ? 0 : (number % unit + unit / 1000 - 1) / (unit / 1000)};
    return std::chrono::ceil<Wait>(mapping::Instant{std::chrono::seconds{seconds}} - now) + rest;
  }
  return std::nullopt;
}

// A number as a wait, in the first unit by which it is no longer than `seconds_max` or kWaitMax:
// seconds, milliseconds, or a time since 1970.
Wait read_number(std::int64_t number, Wait fraction, mapping::Instant now, Wait seconds_max) {
  if (number <= std::chrono::floor<std::chrono::seconds>(seconds_max).count())
    return bounded(std::chrono::seconds{number} + fraction);
  if (number <= kWaitMax.count()) return Wait{number};
  const auto wait = since_1970(number, now);
  return wait ? believed(*wait + fraction) : kWaitUnclear;
}

std::optional<Wait> read_number(std::string_view text, mapping::Instant now, Wait seconds_max) {
  const auto point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  if (!all_digits(whole)) return std::nullopt;
  Wait fraction{0};
  if (point != std::string_view::npos) {
    const std::string_view digits = text.substr(point + 1);
    if (!all_digits(digits)) return std::nullopt;
    std::string thousandths(digits.substr(0, 3));
    thousandths.resize(3, '0');
    fraction = Wait{saturated(thousandths)};
    if (digits.size() > 3) fraction += Wait{1};  // never earlier than requested
  }
  return read_number(saturated(whole), fraction, now, seconds_max);
}

// "2026-11-27T00:00:00Z".
std::optional<mapping::Instant> read_instant(std::string_view text) {
  if (text.size() > 64) return std::nullopt;
  const auto read = mapping::read_date(text);
  if (!read) return std::nullopt;
  const auto* at = std::get_if<mapping::Instant>(&read->value);
  return at == nullptr ? std::nullopt : std::optional(*at);
}

std::string_view first_header(const Response& response,
                              std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    if (const auto value = response.header(name); !value.empty()) return value;
  }
  return {};
}

std::string_view remaining_of(const Response& response) {
  return mapping::trimmed(first_header(
      response, {"ratelimit-remaining", "x-ratelimit-remaining", "x-rate-limit-remaining"}));
}

// The most that a Retry-After means in seconds. Whole thousands are milliseconds far more often.
Wait seconds_max_of(std::string_view retry_after) {
  const std::string_view digits = mapping::trimmed(retry_after);
  return all_digits(digits) && digits.ends_with("000") ? kResetMax : kWaitMax;
}

// The longest of several headers, as a service and a gateway before it write them.
std::optional<Wait> longest_retry_after(const Response& response, mapping::Instant now) {
  std::optional<Wait> longest;
  for (const auto& [name, value] : response.headers) {
    if (name != "retry-after") continue;
    if (const auto wait = read_retry_after(value, now, seconds_max_of(value)))
      longest = std::max(longest.value_or(Wait{0}), *wait);
  }
  return longest;
}

}  // namespace

std::optional<mapping::Instant> read_http_date(std::string_view text) {
  static constexpr std::array kForms{"%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT",
                                     "%a %b %e %H:%M:%S %Y"};
  if (text.size() > 64) return std::nullopt;
  for (const char* form : kForms) {
    std::istringstream in{std::string(text)};
    in.imbue(std::locale::classic());
    date::sys_seconds at;
    in >> date::parse(form, at);
    if (!in.fail() && in.peek() == std::char_traits<char>::eof()) {
      return mapping::Instant{at.time_since_epoch()};
    }
  }
  return std::nullopt;
}

std::optional<Wait> read_retry_after(std::string_view value, mapping::Instant now,
                                     Wait seconds_max) {
  value = mapping::trimmed(value);
  if (const auto wait = read_number(value, now, seconds_max)) return wait;
  auto at = read_http_date(value);
  if (!at) at = read_instant(value);
  if (!at) return std::nullopt;
  return believed(std::chrono::ceil<Wait>(*at - now));
}

std::optional<Wait> wait_of(const Response& response, mapping::Instant now) {
  const auto sent_at = read_http_date(response.header("date"));
  const mapping::Instant then = sent_at.value_or(now);
  if (const auto wait = longest_retry_after(response, then)) return wait;
  const auto remaining = remaining_of(response);
  const auto reset = first_header(response, {"ratelimit-reset", "x-ratelimit-reset-after",
                                             "x-ratelimit-reset", "x-rate-limit-reset"});
  if (!remaining.empty() && remaining != "0") return std::nullopt;
  return read_retry_after(reset, then, kResetMax);
}

bool nothing_remains(const Response& response) {
  return remaining_of(response) == "0";
}

bool is_refused_for_rate(const Response& response) {
  if (response.status == 429) return true;
  return response.status == 403 &&
         (!response.header("retry-after").empty() || nothing_remains(response));
}

}  // namespace surveybridge::service
