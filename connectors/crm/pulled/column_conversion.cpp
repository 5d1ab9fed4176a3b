#include "connectors/crm/pulled/column_conversion.hpp"

#include <charconv>
#include <stdexcept>

#include "connectors/crm/driver/cell_text.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Bytes;
using mapping::Decimal;
using mapping::Enumerator;
using mapping::LocalTime;
using mapping::Null;
using mapping::Type;
using Fitted = std::optional<Value>;

bool is_number(ColumnKind kind) {
  return kind == ColumnKind::integer || kind == ColumnKind::bits || kind == ColumnKind::decimal ||
         kind == ColumnKind::real;
}

bool is_time(ColumnKind kind) {
  return kind == ColumnKind::instant || kind == ColumnKind::local_time || kind == ColumnKind::date;
}

// The number of an enumerator for a column of numbers; for any other column its name, if known.
Value face_of(const Enumerator& enumerator, ColumnKind kind) {
  const bool number = is_number(kind) || enumerator.name.empty();
  if (number) return enumerator.number ? Value{*enumerator.number} : Value{Null{}};
  return enumerator.name;
}

Fitted to_text(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* decimal = std::get_if<Decimal>(&value)) return decimal->text;
  if (const auto* instant = std::get_if<Instant>(&value)) return mapping::write_instant(*instant);
  if (const auto* local = std::get_if<LocalTime>(&value)) return mapping::write_local(*local);
  return std::nullopt;
}

Fitted to_boolean(const Value& value) {
  if (std::holds_alternative<bool>(value)) return value;
  const auto text = to_text(value);
  if (!text) return std::nullopt;
  const auto& word = std::get<std::string>(*text);
  if (word == "true" || word == "True" || word == "1") return true;
  if (word == "false" || word == "False" || word == "0") return false;
  return std::nullopt;
}

Fitted to_decimal(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return Decimal{*truth ? "1" : "0"};
  if (std::holds_alternative<Instant>(value)) return std::nullopt;
  const auto text = to_text(value);
  if (!text) return std::nullopt;
  const auto number = plain_decimal(std::get<std::string>(*text));
  return number ? Fitted{Decimal{*number}} : std::nullopt;
}

// "4", "4.0" and "4e0" are the integer 4; "4.5" is no integer.
Fitted to_integer(const Value& value) {
  if (std::holds_alternative<std::int64_t>(value)) return value;
  const auto decimal = to_decimal(value);
  if (!decimal) return std::nullopt;
  std::string text = std::get<Decimal>(*decimal).text;
  if (const auto dot = text.find('.'); dot != std::string::npos) {
    if (text.find_first_not_of('0', dot + 1) != std::string::npos) return std::nullopt;
    text.resize(dot);
  }
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Instant> to_instant(const Value& value, const std::string& time_zone) {
  if (const auto* instant = std::get_if<Instant>(&value)) return *instant;
  if (const auto* local = std::get_if<LocalTime>(&value)) {
    return mapping::in_zone(*local, time_zone);
  }
  const auto* text = std::get_if<std::string>(&value);
  const auto read = text ? mapping::read_date(*text) : std::nullopt;
  if (!read || mapping::is_null(read->value)) return std::nullopt;
  return to_instant(read->value, time_zone);
}

// How databases and services write that there is no date.
bool is_zero_date(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && (text->starts_with("0000-00-00") || text->starts_with("0001-01-01"));
}

Fitted to_time(const Value& value, ColumnKind kind, const std::string& time_zone) {
  if (is_zero_date(value)) return Null{};
  const auto instant = to_instant(value, time_zone);
  if (!instant) return std::nullopt;
  if (kind == ColumnKind::instant) return *instant;
  const LocalTime local = mapping::to_zone(*instant, time_zone);
  if (kind == ColumnKind::local_time) return local;
  return mapping::write_local(local).substr(0, 10);
}

Fitted to_other(const Value& value) {
  if (std::holds_alternative<Bytes>(value)) return std::nullopt;
  if (std::holds_alternative<Decimal>(value)) return to_decimal(value);
  const bool time =
      std::holds_alternative<Instant>(value) || std::holds_alternative<LocalTime>(value);
  return time ? to_text(value) : Fitted{value};
}

Fitted to_kind(const Value& value, ColumnKind kind, const std::string& time_zone) {
  switch (kind) {
    case ColumnKind::boolean:
      return to_boolean(value);
    case ColumnKind::integer:
    case ColumnKind::bits:
      return to_integer(value);
    case ColumnKind::decimal:
    case ColumnKind::real:
      return to_decimal(value);
    case ColumnKind::text:
      return to_text(value);
    case ColumnKind::instant:
    case ColumnKind::local_time:
    case ColumnKind::date:
      return to_time(value, kind, time_zone);
    case ColumnKind::bytes:
      return std::holds_alternative<Bytes>(value) ? Fitted{value} : std::nullopt;
    case ColumnKind::other:
      return to_other(value);
  }
  throw std::logic_error("a column of no kind");
}

}  // namespace

bool can_convert(Type type, ColumnKind kind) {
  const bool open = kind == ColumnKind::text || kind == ColumnKind::other;
  switch (type) {
    case Type::boolean:
      return open || is_number(kind) || kind == ColumnKind::boolean;
    case Type::integer:
    case Type::decimal:
    case Type::enumeration:
      return open || is_number(kind);
    case Type::text:
      return kind != ColumnKind::bytes;
    case Type::guid:
      return open;
    case Type::instant:
      return open || is_time(kind);
    case Type::base64:
      return kind == ColumnKind::bytes;
    case Type::object:
      return false;
  }
  throw std::logic_error("a field of no type");
}

Fitted convert_to_column(const Value& value, ColumnKind kind, const std::string& time_zone) {
  if (const auto* enumerator = std::get_if<Enumerator>(&value)) {
    return convert_to_column(face_of(*enumerator, kind), kind, time_zone);
  }
  const auto* text = std::get_if<std::string>(&value);
  const bool nothing = text != nullptr && text->empty() && kind != ColumnKind::text;
  if (mapping::is_null(value) || nothing) return Null{};
  return to_kind(value, kind, time_zone);
}

std::string_view name_of(Type type) {
  switch (type) {
    case Type::boolean:
      return "boolean";
    case Type::integer:
      return "integer";
    case Type::decimal:
      return "decimal";
    case Type::text:
      return "text";
    case Type::guid:
      return "GUID";
    case Type::instant:
      return "date-time";
    case Type::base64:
      return "file content";
    case Type::enumeration:
      return "enumeration";
    case Type::object:
      return "object";
  }
  throw std::logic_error("a field of no type");
}

std::string_view name_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::boolean:
      return "boolean";
    case ColumnKind::bits:
      return "bits";
    case ColumnKind::integer:
      return "integer";
    case ColumnKind::decimal:
      return "decimal";
    case ColumnKind::real:
      return "float";
    case ColumnKind::text:
      return "text";
    case ColumnKind::instant:
      return "timestamp with time zone";
    case ColumnKind::local_time:
      return "timestamp without time zone";
    case ColumnKind::date:
      return "date";
    case ColumnKind::bytes:
      return "bytes";
    case ColumnKind::other:
      return "a type of its own";
  }
  throw std::logic_error("a column of no kind");
}

}  // namespace surveybridge::crm
