#include "connectors/crm/driver/cell_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "config/text.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

constexpr int kExponentMax = 400;

bool all_digits(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Writes `digits` ("15", `point` of them before the point) without an exponent.
std::string place_point(std::string_view digits, long point) {
  const auto size = static_cast<long>(digits.size());
  if (point <= 0) return "0." + std::string(static_cast<std::size_t>(-point), '0').append(digits);
  if (point >= size) {
    return std::string(digits).append(static_cast<std::size_t>(point - size), '0');
  }
  const auto cut = static_cast<std::size_t>(point);
  return std::string(digits.substr(0, cut)) + "." + std::string(digits.substr(cut));
}

Value read_decimal(std::string_view text) {
  if (auto decimal = plain_decimal(text)) return mapping::Decimal{*decimal};
  return std::string(text);
}

Value read_integer(std::string_view text) {
  if (const auto number = config::to_number<std::int64_t>(text)) return *number;
  return read_decimal(text);
}

// The highest bit first.
Value read_bits(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes.substr(0, sizeof number))
    number = number << 8 | static_cast<unsigned char>(byte);
  return read_integer(std::to_string(number));
}

Value read_boolean(std::string_view text) {
  if (text == "t" || text == "1" || text == "true") return true;
  if (text == "f" || text == "0" || text == "false") return false;
  return std::string(text);
}

// PostgreSQL writes the offsets of the time before there were zones with their seconds,
// "1900-01-01 00:00:00+00:19:32". The instant without them; empty: it is no such text.
std::optional<Instant> with_seconds_of_offset(std::string_view text) {
  constexpr std::size_t kOffset = 9, kSeconds = 3;  // "+00:19:32", ":32"
  if (text.size() < 19 + kOffset) return std::nullopt;
  const std::string_view offset = text.substr(text.size() - kOffset);
  const bool east = offset[0] == '+', west = offset[0] == '-';
  if ((!east && !west) || offset[3] != ':' || offset[6] != ':') return std::nullopt;
  const auto date = mapping::read_date(text.substr(0, text.size() - kSeconds));
  const auto* instant = date ? std::get_if<Instant>(&date->value) : nullptr;
  if (instant == nullptr || date->finer || !all_digits(offset.substr(7))) return std::nullopt;
  const std::chrono::seconds seconds{(offset[7] - '0') * 10 + (offset[8] - '0')};
  return west ? *instant + seconds : *instant - seconds;
}

// A date that would have to be changed (finer than microseconds, the unset date) stays text.
Value read_time(ColumnKind kind, std::string_view text) {
  if (const auto instant = with_seconds_of_offset(text)) return *instant;
  const auto date = mapping::read_date(text);
  if (!date || date->finer || mapping::is_null(date->value)) return std::string(text);
  const auto* local = std::get_if<mapping::LocalTime>(&date->value);
  if (kind == ColumnKind::instant && local) return Instant(local->time_since_epoch());
  return date->value;
}

struct TextOf {
  const DialectTraits& dialect;

  std::string operator()(const mapping::Null&) const { throw std::logic_error("NULL has no text"); }
  std::string operator()(bool value) const {
    return std::string(value ? dialect.true_text : dialect.false_text);
  }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(const mapping::Decimal& value) const { return value.text; }
  std::string operator()(const std::string& value) const { return without_nul(value); }
  std::string operator()(Instant value) const { return dialect.instant_text(value); }
  std::string operator()(mapping::LocalTime value) const {
    return mapping::write_timestamp(Instant(value.time_since_epoch()));
  }
  std::string operator()(const mapping::Bytes& value) const {
    std::string text(dialect.bytes_prefix);
    config::append_hex(text, value.bytes);
    return text;
  }
  std::string operator()(const mapping::Enumerator&) const {
    throw std::logic_error("an Enumerator is stored as number and name, not as one parameter");
  }
};

}  // namespace

Value read_cell(ColumnKind kind, std::string_view text) {
  switch (kind) {
    case ColumnKind::boolean:
      return read_boolean(text);
    case ColumnKind::integer:
      return read_integer(text);
    case ColumnKind::decimal:
    case ColumnKind::real:
      return read_decimal(text);
    case ColumnKind::instant:
    case ColumnKind::local_time:
    case ColumnKind::date:
      return read_time(kind, text);
    case ColumnKind::bits:
      return read_bits(text);
    case ColumnKind::bytes:
      return mapping::Bytes{std::string(text)};
    case ColumnKind::text:
    case ColumnKind::other:
      break;
  }
  return std::string(text);
}

std::optional<std::string> plain_decimal(std::string_view number) {
  const bool negative = !number.empty() && number.front() == '-';
  if (!number.empty() && (negative || number.front() == '+')) number.remove_prefix(1);
  int exponent = 0;
  if (const auto mark = number.find_first_of("eE"); mark != std::string_view::npos) {
    std::string_view power = number.substr(mark + 1);
    if (!power.empty() && power.front() == '+') power.remove_prefix(1);
    const auto [stop, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (error != std::errc() || stop != power.data() + power.size()) return std::nullopt;
    if (std::abs(exponent) > kExponentMax) return std::nullopt;
    number = number.substr(0, mark);
  }
  const auto dot = number.find('.');
  const std::string_view whole = number.substr(0, dot);
  const std::string_view fraction =
      dot == std::string_view::npos ? std::string_view() : number.substr(dot + 1);
  if (whole.size() + fraction.size() == 0 || !all_digits(whole) || !all_digits(fraction)) {
    return std::nullopt;
  }
  const std::string sign = negative ? "-" : "";
  // Without an exponent the text stays as it is: 1.50 keeps its last zero.
  if (exponent == 0 && !whole.empty()) {
    return sign + std::string(fraction.empty() ? whole : number);
  }
  const std::string digits = std::string(whole) + std::string(fraction);
  return sign + place_point(digits, static_cast<long>(whole.size()) + exponent);
}

std::optional<std::string> plain_decimal(double number) {
  if (!std::isfinite(number)) return std::nullopt;
  std::array<char, 64> text;
  const auto [stop, error] = std::to_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  return plain_decimal(std::string_view(text.data(), static_cast<std::size_t>(stop - text.data())));
}

std::string parameter_text(const Value& value, Dialect dialect) {
  return std::visit(TextOf{traits(dialect)}, value);
}

std::string without_nul(std::string text) {
  for (auto at = text.find('\0'); at != std::string::npos; at = text.find('\0', at)) {
    text.replace(at, 1, "\xEF\xBF\xBD");
  }
  return text;
}

std::optional<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes(text.size() / 2, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    unsigned byte = 0;
    const char* pair = text.data() + 2 * i;
    const auto [stop, error] = std::from_chars(pair, pair + 2, byte, 16);
    if (stop != pair + 2 || error != std::errc()) return std::nullopt;
    bytes[i] = static_cast<char>(byte);
  }
  return bytes;
}

}  // namespace surveybridge::crm
