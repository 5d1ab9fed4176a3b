#include "mapping/field_map/coerce.hpp"

#include <algorithm>
#include <stdexcept>

#include "mapping/values/base64.hpp"
#include "mapping/values/dates.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {

namespace {

using std::chrono::year;

// The text of a cell with a number or text; nullptr for other cells.
const std::string* text_in(const Value& value) {
  if (const auto* decimal = std::get_if<Decimal>(&value)) return &decimal->text;
  return std::get_if<std::string>(&value);
}

Coerced to_integer(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  if (const auto* flag = std::get_if<bool>(&value)) return std::int64_t{*flag};
  const auto* text = text_in(value);
  const auto number = text ? to_number<std::int64_t>(without_zero_fraction(*text)) : std::nullopt;
  if (!number) return ConversionError{"not an integer"};
  return *number;
}

Coerced to_decimal(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value))
    return Decimal{std::to_string(*number)};
  const auto* text = text_in(value);
  if (!text || !is_decimal(*text)) return ConversionError{"not a decimal number"};
  return Decimal{*text};
}

Coerced to_boolean(const Value& value) {
  if (std::holds_alternative<bool>(value)) return value;
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (same_name(*text, "true") || same_name(*text, "t")) return true;
    if (same_name(*text, "false") || same_name(*text, "f")) return false;
  }
  const Coerced number = to_integer(value);
  if (number == Coerced{Value{std::int64_t{0}}}) return false;
  if (number == Coerced{Value{std::int64_t{1}}}) return true;
  return ConversionError{"not a boolean"};
}

Coerced checked_text(std::string text) {
  if (text.find('\0') != std::string::npos) return ConversionError{"holds a NUL character"};
  if (!is_utf8(text)) return ConversionError{"not UTF-8"};
  return text;
}

Coerced to_text(const Value& value) {
  if (const auto* text = text_in(value)) return checked_text(*text);
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* flag = std::get_if<bool>(&value)) return std::string{*flag ? "true" : "false"};
  if (const auto* instant = std::get_if<Instant>(&value)) return write_instant(*instant);
  if (const auto* local = std::get_if<LocalTime>(&value)) return write_local(*local);
  return ConversionError{"bytes, not text"};
}

bool within_years(Instant instant) {
  const std::chrono::sys_days first = year{1} / 1 / 1, end = year{10000} / 1 / 1;
  return instant >= first && instant < end;
}

// A zone moves a clock by less than a day, so the result stays near the allowed years.
Coerced to_instant(const Value& value, const std::string& zone) {
  const auto* instant = std::get_if<Instant>(&value);
  const auto* local = std::get_if<LocalTime>(&value);
  if (local && within_years(Instant{local->time_since_epoch()}))
    return to_instant(in_zone(*local, zone), zone);
  if (instant && within_years(*instant)) return *instant;
  if (instant || local) return ConversionError{"not a date of the years 1 to 9999"};
  if (const auto* text = std::get_if<std::string>(&value)) {
    const auto read = read_date(*text);
    if (read && is_null(read->value)) return Null{};
    if (read) return to_instant(read->value, zone);
  }
  return ConversionError{"not a date"};
}

Coerced to_guid(const Value& value) {
  constexpr std::string_view kForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
  const auto fits = [&](char c, char form) {
    return form == '-' ? c == '-' : kDigits.find(c) != std::string_view::npos;
  };
  const auto* text = std::get_if<std::string>(&value);
  if (!text || !std::ranges::equal(*text, kForm, fits)) return ConversionError{"not a GUID"};
  return *text;
}

// A text is read as base64: a CRM that stores files as text has no other way.
Coerced to_bytes(const Value& value) {
  if (std::holds_alternative<Bytes>(value)) return value;
  const auto* text = std::get_if<std::string>(&value);
  auto bytes = text ? read_base64(*text) : std::nullopt;
  if (!bytes) return ConversionError{"neither bytes nor base64"};
  return Bytes{std::move(*bytes)};
}

Coerced to_enumerator(const Value& value) {
  if (std::holds_alternative<Enumerator>(value)) return value;
  const Coerced number = to_integer(value);
  if (const auto* known = std::get_if<Value>(&number))
    return Enumerator{std::get<std::int64_t>(*known), ""};
  const auto* name = std::get_if<std::string>(&value);
  if (!name || !is_utf8(*name))
    return ConversionError{"neither the number nor the name of a choice"};
  return Enumerator{std::nullopt, *name};
}

}  // namespace

Coerced coerce(const Value& value, Type type, const std::string& zone) {
  if (is_null(value)) return Null{};
  switch (type) {
    case Type::boolean:
      return to_boolean(value);
    case Type::integer:
      return to_integer(value);
    case Type::decimal:
      return to_decimal(value);
    case Type::text:
      return to_text(value);
    case Type::guid:
      return to_guid(value);
    case Type::instant:
      return to_instant(value, zone);
    case Type::base64:
      return to_bytes(value);
    case Type::enumeration:
      return to_enumerator(value);
    case Type::object:
      break;
  }
  throw std::invalid_argument("an object is not a value");
}

}  // namespace surveybridge::mapping
