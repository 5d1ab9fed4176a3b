#include "connectors/crm/dialect/ddl.hpp"

#include "connectors/crm/dialect/traits.hpp"

namespace surveybridge::crm {
namespace {

bool is_required(const Table& table, std::size_t column) {
  return column < table.key_size || table.columns.at(column).required;
}

std::string column_line(Dialect dialect, const Table& table, std::size_t i, Numbering numbering) {
  const auto& column = table.columns[i];
  std::string line = "  " + quoted(dialect, column.name) + " " + column_type(dialect, column.type);
  if (i == 0 && numbering == Numbering::database) line += traits(dialect).numbered;
  return line + (is_required(table, i) ? " NOT NULL,\n" : ",\n");
}

std::string list_of(Dialect dialect, const std::vector<std::string>& names) {
  std::string all;
  for (const auto& name : names)
    all += (all.empty() ? "" : ", ") + quoted(dialect, name);
  return "(" + all + ")";
}

}  // namespace

std::string column_type(Dialect dialect, ColumnType type) {
  return std::string(traits(dialect).column_type(type));
}

std::string column_definition(Dialect dialect, const Table& table, std::size_t column) {
  return column_type(dialect, table.columns.at(column).type) +
         (is_required(table, column) ? " NOT NULL" : "");
}

std::string create_table(Dialect dialect, const Table& table, Numbering numbering,
                         const std::string& options) {
  std::string text = std::string(kCreateTable) + quoted(dialect, table.name) + " (\n";
  std::vector<std::string> key;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    text += column_line(dialect, table, i, numbering);
    if (i < table.key_size) key.push_back(table.columns[i].name);
  }
  return text + "  PRIMARY KEY " + list_of(dialect, key) + "\n)" +
         (options.empty() ? std::string(traits(dialect).table_options) : options);
}

std::string add_column(Dialect dialect, const Table& table, const mapping::TableColumn& column) {
  return "ALTER TABLE " + quoted(dialect, table.name) + " ADD COLUMN " +
         quoted(dialect, column.name) + " " + column_type(dialect, column.type);
}

std::string create_index(Dialect dialect, const Index& index) {
  return std::string(traits(dialect).create_index) + quoted(dialect, index.name) + " ON " +
         quoted(dialect, index.table) + " " + list_of(dialect, index.columns);
}

}  // namespace surveybridge::crm
