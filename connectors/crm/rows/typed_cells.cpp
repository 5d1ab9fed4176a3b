#include "connectors/crm/rows/typed_cells.hpp"

#include "config/text.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

[[noreturn]] void refuse(const char* expected) {
  throw DatabaseError(DatabaseError::Kind::other,
                      std::string("a cell of the bridge's own tables is no ") + expected);
}

Instant as_utc(mapping::LocalTime local) {
  return Instant{local.time_since_epoch()};
}

}  // namespace

std::string text_in(const Value& cell) {
  if (mapping::is_null(cell)) return {};
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return std::to_string(*number);
  refuse("text");
}

std::size_t cell_bytes(const Value& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return text->size();
  if (const auto* bytes = std::get_if<mapping::Bytes>(&cell)) return bytes->bytes.size();
  return 0;
}

std::int64_t integer_in(const Value& cell) {
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return *number;
  if (const auto* truth = std::get_if<bool>(&cell)) return *truth ? 1 : 0;
  const auto* decimal = std::get_if<mapping::Decimal>(&cell);  // a SUM or COUNT of some drivers
  const auto* text = std::get_if<std::string>(&cell);
  if (decimal != nullptr || text != nullptr) {
    const auto number = config::to_number<std::int64_t>(decimal != nullptr ? decimal->text : *text);
    if (number) return *number;
  }
  refuse("integer");
}

std::optional<std::int64_t> integer_or_none(const Value& cell) {
  return mapping::is_null(cell) ? std::nullopt : std::optional(integer_in(cell));
}

bool boolean_in(const Value& cell) {
  if (mapping::is_null(cell)) return false;
  if (const auto* text = std::get_if<std::string>(&cell)) return *text == "t" || *text == "1";
  return integer_in(cell) != 0;
}

std::optional<Instant> instant_in(const Value& cell) {
  if (mapping::is_null(cell)) return std::nullopt;
  if (const auto* instant = std::get_if<Instant>(&cell)) return *instant;
  if (const auto* local = std::get_if<mapping::LocalTime>(&cell)) return as_utc(*local);
  if (const auto* text = std::get_if<std::string>(&cell)) {
    const auto read = mapping::read_date(*text);
    if (read && !mapping::is_null(read->value)) return instant_in(read->value);
  }
  refuse("instant");
}

Value text_or_null(const std::string& text) {
  return text.empty() ? Value{mapping::Null{}} : Value{text};
}

Value as_written(const Value& cell, mapping::ColumnType type) {
  using mapping::ColumnType;
  if (mapping::is_null(cell)) return cell;
  switch (type) {
    case ColumnType::boolean:
      return boolean_in(cell);
    case ColumnType::integer:
      return integer_in(cell);
    case ColumnType::instant:
      return instant_in(cell).value();
    case ColumnType::text:
    case ColumnType::key_text:
      return text_in(cell);
    case ColumnType::decimal:
    case ColumnType::bytes:
      break;
  }
  return cell;
}

}  // namespace surveybridge::crm
