#include "connectors/crm/dialect/ddl.hpp"

#include <stdexcept>

namespace surveybridge::crm {
namespace {

std::string mariadb_type(ColumnType type) {
  switch (type) {
    case ColumnType::boolean:
      return "boolean";
    case ColumnType::integer:
      return "bigint";
    case ColumnType::decimal:
      return "decimal(65,30)";
    case ColumnType::text:
      return "longtext";
    case ColumnType::key_text:  // four bytes a character: two of them fit InnoDB's 3072 byte keys
      return "varchar(191) COLLATE utf8mb4_nopad_bin";
    case ColumnType::instant:
      return "datetime(6)";
    case ColumnType::bytes:
      return "longblob";
  }
  throw std::logic_error("a column type without a name");
}

std::string sqlserver_type(ColumnType type) {
  switch (type) {
    case ColumnType::boolean:
      return "bit";
    case ColumnType::integer:
      return "bigint";
    case ColumnType::decimal:
      return "decimal(38,10)";
    case ColumnType::text:
      return "nvarchar(max)";
    case ColumnType::key_text:  // two bytes a character: two of them fit a 900 byte key
      return "nvarchar(200) COLLATE Latin1_General_100_BIN2";
    case ColumnType::instant:
      return "datetime2(6)";
    case ColumnType::bytes:
      return "varbinary(max)";
  }
  throw std::logic_error("a column type without a name");
}

// SQLite keeps what it is given: decimals and instants as text lose nothing, and instants written
// with six digits sort as they should.
std::string sqlite_type(ColumnType type) {
  if (type == ColumnType::boolean || type == ColumnType::integer) return "integer";
  return type == ColumnType::bytes ? "blob" : "text";
}

std::string numbered(Dialect dialect) {
  switch (dialect) {
    case Dialect::postgresql:
      return " GENERATED ALWAYS AS IDENTITY";
    case Dialect::mariadb:
      return " AUTO_INCREMENT";
    case Dialect::sqlserver:
      return " IDENTITY";
    case Dialect::sqlite:
      return "";  // an integer primary key numbers itself
  }
  throw std::logic_error("a dialect that cannot count");
}

std::string column_line(Dialect dialect, const Table& table, std::size_t i, Numbering numbering) {
  const auto& column = table.columns[i];
  std::string line = "  " + quoted(dialect, column.name) + " " + column_type(dialect, column.type);
  if (i == 0 && numbering == Numbering::database) line += numbered(dialect);
  if (i < table.key_size || column.required) line += " NOT NULL";
  return line + ",\n";
}

std::string list_of(Dialect dialect, const std::vector<std::string>& names) {
  std::string all;
  for (const auto& name : names)
    all += (all.empty() ? "" : ", ") + quoted(dialect, name);
  return "(" + all + ")";
}

}  // namespace

std::string column_type(Dialect dialect, ColumnType type) {
  switch (dialect) {
    case Dialect::postgresql:
      return std::string(postgresql_type(type));
    case Dialect::mariadb:
      return mariadb_type(type);
    case Dialect::sqlserver:
      return sqlserver_type(type);
    case Dialect::sqlite:
      return sqlite_type(type);
  }
  throw std::logic_error("a dialect without types");
}

std::string create_table(Dialect dialect, const Table& table, Numbering numbering) {
  std::string text = dialect == Dialect::sqlserver
                         ? "IF OBJECT_ID(N'" + table.name + "', N'U') IS NULL\nCREATE TABLE "
                         : "CREATE TABLE IF NOT EXISTS ";
  text += quoted(dialect, table.name) + " (\n";
  std::vector<std::string> key;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    text += column_line(dialect, table, i, numbering);
    if (i < table.key_size) key.push_back(table.columns[i].name);
  }
  text += "  PRIMARY KEY " + list_of(dialect, key) + "\n)";
  if (dialect == Dialect::mariadb) text += " ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4";
  return text;
}

std::string add_column(Dialect dialect, const Table& table, const mapping::TableColumn& column) {
  return "ALTER TABLE " + quoted(dialect, table.name) +
         (dialect == Dialect::sqlserver ? " ADD " : " ADD COLUMN ") + quoted(dialect, column.name) +
         " " + column_type(dialect, column.type);
}

std::string create_index(Dialect dialect, const Index& index) {
  const std::string what = quoted(dialect, index.name) + " ON " + quoted(dialect, index.table) +
                           " " + list_of(dialect, index.columns);
  if (dialect != Dialect::sqlserver) return "CREATE INDEX IF NOT EXISTS " + what;
  return "IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE name = N'" + index.name +
         "' AND object_id = OBJECT_ID(N'" + index.table + "'))\nCREATE INDEX " + what;
}

}  // namespace surveybridge::crm
