// CREATE TABLE and CREATE INDEX for a dialect, from a table's description. Pure. Text in a key is
// compared byte by byte on every database: "A1" and "a1" are two transactions.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/dialect/sql.hpp"

namespace surveybridge::crm {

struct Index {
  std::string name, table;
  std::vector<std::string> columns;
};

// Who sets the value of a row's first column.
enum class Numbering { ours, database };

std::string column_type(Dialect dialect, ColumnType type);
// Its type, and NOT NULL.
std::string column_definition(Dialect dialect, const Table& table, std::size_t column);
inline constexpr std::string_view kCreateTable = "CREATE TABLE IF NOT EXISTS ";
// In the form of the dialect.
// `options`: behind it, instead of the dialect's own.
std::string create_table(Dialect dialect, const Table& table, Numbering numbering,
                         const std::string& options = "");
// Adds a column to a table that has rows: NULL in all of them.
std::string add_column(Dialect dialect, const Table& table, const mapping::TableColumn& column);
std::string create_index(Dialect dialect, const Index& index);

}  // namespace surveybridge::crm
