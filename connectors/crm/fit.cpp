#include "connectors/crm/fit.hpp"

#include <charconv>
#include <stdexcept>

#include "connectors/crm/cell_text.hpp"
#include "mapping/dates.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Bytes;
using mapping::Decimal;
using mapping::Enumerator;
using mapping::LocalTime;
using mapping::Null;
using mapping::Type;
using Fitted = std::optional<Value>;

bool is_number(Kind kind) {
  return kind == Kind::integer || kind == Kind::decimal || kind == Kind::real;
}

bool is_time(Kind kind) {
  return kind == Kind::instant || kind == Kind::local_time || kind == Kind::date;
}

// An enumerator has two faces: a column of numbers sees the one, any other the name if known.
Value face_of(const Enumerator& enumerator, Kind kind) {
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

// "4", "4.0" and "4e0" are the integer 4; "4.5" is none.
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

Fitted to_time(const Value& value, Kind kind, const std::string& time_zone) {
  const auto instant = to_instant(value, time_zone);
  if (!instant) return std::nullopt;
  if (kind == Kind::instant) return *instant;
  const LocalTime local = mapping::to_zone(*instant, time_zone);
  if (kind == Kind::local_time) return local;
  return mapping::write_local(local).substr(0, 10);
}

Fitted to_other(const Value& value) {
  if (std::holds_alternative<Bytes>(value)) return std::nullopt;
  const bool time =
      std::holds_alternative<Instant>(value) || std::holds_alternative<LocalTime>(value);
  return time ? to_text(value) : Fitted{value};
}

Fitted to_kind(const Value& value, Kind kind, const std::string& time_zone) {
  switch (kind) {
    case Kind::boolean:
      return to_boolean(value);
    case Kind::integer:
      return to_integer(value);
    case Kind::decimal:
    case Kind::real:
      return to_decimal(value);
    case Kind::text:
      return to_text(value);
    case Kind::instant:
    case Kind::local_time:
    case Kind::date:
      return to_time(value, kind, time_zone);
    case Kind::bytes:
      return std::holds_alternative<Bytes>(value) ? Fitted{value} : std::nullopt;
    case Kind::other:
      return to_other(value);
  }
  throw std::logic_error("a column of no kind");
}

}  // namespace

bool can_fit(Type type, Kind kind) {
  const bool open = kind == Kind::text || kind == Kind::other;
  switch (type) {
    case Type::boolean:
      return open || is_number(kind) || kind == Kind::boolean;
    case Type::integer:
    case Type::decimal:
    case Type::enumeration:
      return open || is_number(kind);
    case Type::text:
      return kind != Kind::bytes;
    case Type::guid:
      return open;
    case Type::instant:
      return open || is_time(kind);
    case Type::base64:
      return kind == Kind::bytes;
    case Type::object:
      return false;
  }
  throw std::logic_error("a field of no type");
}

Fitted fit(const Value& value, Kind kind, const std::string& time_zone) {
  if (const auto* enumerator = std::get_if<Enumerator>(&value)) {
    return fit(face_of(*enumerator, kind), kind, time_zone);
  }
  const auto* text = std::get_if<std::string>(&value);
  const bool nothing = text != nullptr && text->empty() && kind != Kind::text;
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

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::boolean:
      return "boolean";
    case Kind::integer:
      return "integer";
    case Kind::decimal:
      return "decimal";
    case Kind::real:
      return "float";
    case Kind::text:
      return "text";
    case Kind::instant:
      return "timestamp with time zone";
    case Kind::local_time:
      return "timestamp without time zone";
    case Kind::date:
      return "date";
    case Kind::bytes:
      return "bytes";
    case Kind::other:
      return "a type of its own";
  }
  throw std::logic_error("a column of no kind");
}

}  // namespace surveybridge::crm
