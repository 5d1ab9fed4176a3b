#include "connectors/service/retry_after.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <locale>
#include <sstream>
#include <string>

#include <date/date.h>

namespace surveybridge::service {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Digits as a number that saturates far above all our limits.
std::int64_t saturated(std::string_view digits) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() ? std::min<std::int64_t>(number, 1'000'000'000'000)
                              : 1'000'000'000'000;
}

Wait bounded(Wait wait) {
  return std::clamp(wait, Wait{0}, kWaitMax);
}

std::optional<Wait> read_seconds(std::string_view text) {
  const auto point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  if (!all_digits(whole)) return std::nullopt;
  Wait wait = std::chrono::seconds{saturated(whole)};
  if (point != std::string_view::npos) {
    const std::string_view fraction = text.substr(point + 1);
    if (!all_digits(fraction)) return std::nullopt;
    std::string thousandths(fraction.substr(0, 3));
    thousandths.resize(3, '0');
    wait += Wait{saturated(thousandths)};
    if (fraction.size() > 3) wait += Wait{1};  // never earlier than requested
  }
  return bounded(wait);
}

std::string_view first_header(const Response& response,
                              std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    if (const auto value = response.header(name); !value.empty()) return value;
  }
  return {};
}

// A reset is seconds from now, or seconds since 1970 if it is far too large for that.
std::optional<Wait> read_reset(std::string_view text, mapping::Instant now) {
  constexpr std::int64_t kEpochFrom = 1'000'000'000;
  text = trimmed(text);
  if (!all_digits(text)) return std::nullopt;
  const std::int64_t number = saturated(text);
  if (number < kEpochFrom) return bounded(std::chrono::seconds{number});
  const mapping::Instant at{std::chrono::seconds{number}};
  return bounded(std::chrono::ceil<Wait>(at - now));
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

std::optional<Wait> read_retry_after(std::string_view value, mapping::Instant now) {
  value = trimmed(value);
  if (const auto seconds = read_seconds(value)) return seconds;
  if (const auto at = read_http_date(value)) return bounded(std::chrono::ceil<Wait>(*at - now));
  return std::nullopt;
}

std::optional<Wait> wait_of(const Response& response, mapping::Instant now) {
  const auto sent_at = read_http_date(response.header("date"));
  if (const auto value = response.header("retry-after"); !value.empty()) {
    if (const auto wait = read_retry_after(value, sent_at.value_or(now))) return wait;
  }
  const auto remaining = first_header(
      response, {"ratelimit-remaining", "x-ratelimit-remaining", "x-rate-limit-remaining"});
  const auto reset =
      first_header(response, {"ratelimit-reset", "x-ratelimit-reset", "x-rate-limit-reset"});
  if (!remaining.empty() && trimmed(remaining) != "0") return std::nullopt;
  return read_reset(reset, sent_at.value_or(now));
}

}  // namespace surveybridge::service
