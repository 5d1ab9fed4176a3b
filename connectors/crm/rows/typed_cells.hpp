// Reads a cell of one of our own tables with the type that was stored. A database may return
// another type (SQLite an instant as text, MariaDB a boolean as a number). Pure. All but
// cell_bytes() throw DatabaseError(other) for a cell that the bridge cannot have written.
#pragma once

#include <optional>

#include "connectors/crm/driver/database.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::crm {

std::string text_in(const Value& cell);  // empty for null
// What a text or bytes weigh; 0 for anything else.
std::size_t cell_bytes(const Value& cell);
std::int64_t integer_in(const Value& cell);
std::optional<std::int64_t> integer_or_none(const Value& cell);  // none for null
bool boolean_in(const Value& cell);                              // false for null
std::optional<Instant> instant_in(const Value& cell);
// Empty becomes null.
Value text_or_null(const std::string& text);
template <typename T>
Value or_null(const std::optional<T>& value) {
  return value ? Value{*value} : Value{mapping::Null{}};
}
// A cell of a column of this type as it was before the database's own type for it; null stays null.
Value as_written(const Value& cell, mapping::ColumnType type);

}  // namespace surveybridge::crm
