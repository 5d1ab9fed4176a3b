// The text of CREATE TABLE and CREATE INDEX for a dialect, made from a table's description. Pure.
// Text that is a key compares byte by byte everywhere: "A1" and "a1" are two transactions.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/dialect/sql.hpp"

namespace surveybridge::crm {

struct Index {
  std::string name, table;
  std::vector<std::string> columns;
};

// Who gives a row the value of its first column.
enum class Numbering { ours, database };

std::string column_type(Dialect dialect, ColumnType type);
// CREATE TABLE … IF NOT EXISTS, in the dialect's way of saying so.
// `options`: behind it, instead of the dialect's own.
std::string create_table(Dialect dialect, const Table& table, Numbering numbering,
                         const std::string& options = "");
// A column more for a table that holds rows already: NULL in all of them.
std::string add_column(Dialect dialect, const Table& table, const mapping::TableColumn& column);
std::string create_index(Dialect dialect, const Index& index);

}  // namespace surveybridge::crm
