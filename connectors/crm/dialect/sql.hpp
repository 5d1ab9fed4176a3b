// SQL text from a dialect and a description: quoting, parameters, and the statements that store a
// table's rows. Our own statements are written once in standard SQL and converted by in_dialect().
// Pure.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "connectors/crm/dialect/dialect.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::crm {

using mapping::ColumnType;
using mapping::Table;

// An identifier in the dialect's quotes; a quote inside is doubled.
std::string quoted(Dialect dialect, std::string_view name);
// "sales.orders", each part quoted.
std::string quoted_path(Dialect dialect, std::string_view dotted);

// Standard SQL in a dialect. `"name"` becomes the dialect's quoted identifier; `{integer}` becomes
// the next parameter :p1, :p2, … Where a statement takes arrays (PostgreSQL), a parameter
// is cast to the type in the braces, since a driver may send it as text or as a null without a
// type; `{integer[]}` is an array. Types:
// boolean, integer, decimal, text, key, instant, bytes. std::logic_error for another. `before`: so
// many parameters stand before the pattern.
std::string in_dialect(Dialect dialect, std::string_view pattern, std::size_t before = 0);

// The same of a pattern with holes, `{}`, or `{0}` for the first part: each part is SQL that is in
// the dialect already. The pattern may have several lines: a line end, with the blanks at the
// beginning of the next line, is one blank.
std::string filled_by(Dialect dialect, std::string_view pattern, fmt::format_args parts);
template <typename... Parts>
std::string filled(Dialect dialect, std::string_view pattern, const Parts&... parts) {
  return filled_by(dialect, pattern, fmt::make_format_args(parts...));
}

// A text that is grouped or compared letter by letter, whatever the database's collation is: in
// another case, with an accent or a blank at the end it is another text.
std::string exact(Dialect dialect, const std::string& text);

// At most `rows` rows of a SELECT that ends with ORDER BY.
std::string limited(Dialect dialect, const std::string& select, int rows);

// Adds rows to a table. On PostgreSQL one execution adds many rows, each parameter is the array of
// a column (arrays.hpp). Elsewhere one execution adds one row, each parameter is a column.
std::string insert(Dialect dialect, const Table& table);
// The same; an existing row with the same key gets the new values.
std::string upsert(Dialect dialect, const Table& table);

// The condition that a column is one of some keys. PostgreSQL: one parameter, their array.
// Elsewhere `count` parameters, numbered from 1.
std::string one_of(Dialect dialect, const mapping::TableColumn& column, std::size_t count);

}  // namespace surveybridge::crm
