#include "connectors/crm/dialect/sql.hpp"

#include <stdexcept>
#include <vector>

namespace surveybridge::crm {
namespace {

ColumnType type_named(std::string_view name) {
  if (name == "boolean") return ColumnType::boolean;
  if (name == "integer") return ColumnType::integer;
  if (name == "decimal") return ColumnType::decimal;
  if (name == "text") return ColumnType::text;
  if (name == "key") return ColumnType::key_text;
  if (name == "instant") return ColumnType::instant;
  if (name == "bytes") return ColumnType::bytes;
  throw std::logic_error("a statement names no parameter type: " + std::string(name));
}

std::string parameter(Dialect dialect, std::string_view type, int number) {
  const bool array = type.ends_with("[]");
  const ColumnType element = type_named(array ? type.substr(0, type.size() - 2) : type);
  const std::string name = ":p" + std::to_string(number);
  if (dialect != Dialect::postgresql) {
    if (array) throw std::logic_error("only PostgreSQL takes arrays");
    return name;
  }
  return "CAST(" + name + " AS " + std::string(postgresql_type(element)) + (array ? "[])" : ")");
}

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const auto& part : parts)
    all += (all.empty() ? "" : ", ") + part;
  return all;
}

std::string names_of(Dialect dialect, const Table& table, std::string_view prefix = "",
                     std::size_t first = 0, std::size_t end = std::string::npos) {
  std::vector<std::string> names;
  for (std::size_t i = first; i < table.columns.size() && i < end; ++i) {
    names.push_back(std::string(prefix) + quoted(dialect, table.columns[i].name));
  }
  return joined(names);
}

std::string parameters_of(Dialect dialect, const Table& table) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string name = ":p" + std::to_string(i + 1);
    const std::string type(postgresql_type(table.columns[i].type));
    all.push_back(dialect == Dialect::postgresql ? "CAST(" + name + " AS " + type + "[])" : name);
  }
  return joined(all);
}

// column = new value, for every column behind the key; `before` and `behind` enclose its name.
std::string assignments(Dialect dialect, const Table& table, std::string_view before,
                        std::string_view behind = "") {
  std::vector<std::string> all;
  for (std::size_t i = table.key_size; i < table.columns.size(); ++i) {
    const std::string name = quoted(dialect, table.columns[i].name);
    all.push_back(name + " = " + std::string(before) + name + std::string(behind));
  }
  return joined(all);
}

// SQL Server's only upsert in one statement; HOLDLOCK keeps two of them from both inserting.
std::string merge(const Table& table) {
  const Dialect dialect = Dialect::sqlserver;
  std::string match;
  for (std::size_t i = 0; i < table.key_size; ++i) {
    const std::string name = quoted(dialect, table.columns[i].name);
    match += (i == 0 ? "" : " AND ") + ("t." + name) + " = s." + name;
  }
  return "MERGE INTO " + quoted(dialect, table.name) + " WITH (HOLDLOCK) AS t USING (VALUES (" +
         parameters_of(dialect, table) + ")) AS s (" + names_of(dialect, table) + ") ON " + match +
         " WHEN MATCHED THEN UPDATE SET " + assignments(dialect, table, "s.") +
         " WHEN NOT MATCHED THEN INSERT (" + names_of(dialect, table) + ") VALUES (" +
         names_of(dialect, table, "s.") + ");";
}

}  // namespace

std::string quoted(Dialect dialect, std::string_view name) {
  const char open = dialect == Dialect::mariadb ? '`' : dialect == Dialect::sqlserver ? '[' : '"';
  const char close = dialect == Dialect::sqlserver ? ']' : open;
  std::string text(1, open);
  for (const char c : name) {
    if (c == close) text += close;
    text += c;
  }
  return text + close;
}

std::string quoted_path(Dialect dialect, std::string_view dotted) {
  const std::size_t dot = dotted.find('.');
  if (dot == std::string_view::npos) return quoted(dialect, dotted);
  return quoted(dialect, dotted.substr(0, dot)) + "." +
         quoted_path(dialect, dotted.substr(dot + 1));
}

std::string in_dialect(Dialect dialect, std::string_view pattern) {
  std::string text;
  int number = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '"' && pattern[i] != '{') {
      text += pattern[i];
      continue;
    }
    const std::size_t end = pattern.find(pattern[i] == '{' ? '}' : '"', i + 1);
    if (end == std::string_view::npos) throw std::logic_error("a statement is not closed");
    const std::string_view inside = pattern.substr(i + 1, end - i - 1);
    text += pattern[i] == '{' ? parameter(dialect, inside, ++number) : quoted(dialect, inside);
    i = end;
  }
  return text;
}

std::string_view postgresql_type(ColumnType type) {
  switch (type) {
    case ColumnType::boolean:
      return "boolean";
    case ColumnType::integer:
      return "bigint";
    case ColumnType::decimal:
      return "numeric";
    case ColumnType::text:
    case ColumnType::key_text:
      return "text";
    case ColumnType::instant:
      return "timestamptz";
    case ColumnType::bytes:
      return "bytea";
  }
  throw std::logic_error("a column type without a name");
}

std::string limited(Dialect dialect, const std::string& select, int rows) {
  const std::string count = std::to_string(rows);
  if (dialect != Dialect::sqlserver) return select + " LIMIT " + count;
  return select + " OFFSET 0 ROWS FETCH NEXT " + count + " ROWS ONLY";
}

std::string insert(Dialect dialect, const Table& table) {
  const std::string into =
      "INSERT INTO " + quoted(dialect, table.name) + " (" + names_of(dialect, table) + ") ";
  if (dialect == Dialect::postgresql) {
    return into + "SELECT * FROM unnest(" + parameters_of(dialect, table) + ")";
  }
  return into + "VALUES (" + parameters_of(dialect, table) + ")";
}

std::string upsert(Dialect dialect, const Table& table) {
  switch (dialect) {
    case Dialect::sqlserver:
      return merge(table);
    case Dialect::mariadb:
      return insert(dialect, table) + " ON DUPLICATE KEY UPDATE " +
             assignments(dialect, table, "VALUES(", ")");
    case Dialect::postgresql:
    case Dialect::sqlite:
      return insert(dialect, table) + " ON CONFLICT (" +
             names_of(dialect, table, "", 0, table.key_size) + ") DO UPDATE SET " +
             assignments(dialect, table, "excluded.");
  }
  throw std::logic_error("a dialect without an upsert");
}

std::string one_of(Dialect dialect, const mapping::TableColumn& column, std::size_t count) {
  const std::string name = quoted(dialect, column.name);
  if (dialect == Dialect::postgresql) {
    return name + " = ANY(CAST(:p1 AS " + std::string(postgresql_type(column.type)) + "[]))";
  }
  std::vector<std::string> parameters;
  for (std::size_t i = 1; i <= count; ++i)
    parameters.push_back(":p" + std::to_string(i));
  return name + " IN (" + joined(parameters) + ")";
}

}  // namespace surveybridge::crm
