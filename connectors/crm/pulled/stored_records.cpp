#include "connectors/crm/pulled/stored_records.hpp"

#include <algorithm>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Record;
using mapping::TableRows;

constexpr std::ptrdiff_t kAtOnce = 100;  // a result is limited, and there are many children

TableRows rows_under(Database& database, const Table& table, const std::vector<Value>& keys) {
  std::string columns;
  for (const auto& column : table.columns)
    columns += (columns.empty() ? "\"" : ", \"") + column.name + "\"";
  TableRows found{&table,
                  rows_with_keys(database, "SELECT " + columns + R"( FROM ")" + table.name + "\"",
                                 table.columns.front(), keys)};
  for (auto& row : found.rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      row[i] = as_written(row[i], table.columns[i].type);
  return found;
}

}  // namespace

std::vector<Record> stored_records(Database& database, const mapping::Resource& root,
                                   const std::vector<Value>& keys) {
  std::vector<Record> records;
  for (auto from = keys.begin(); from != keys.end();) {
    const auto to = from + std::min(kAtOnce, keys.end() - from);
    std::vector<TableRows> tables;
    for (const auto& table : mapping::tables_of(root))
      tables.push_back(rows_under(database, table, {from, to}));
    std::ranges::move(mapping::records_of(root, tables), std::back_inserter(records));
    from = to;
  }
  return records;
}

std::vector<Value> stored_keys(Database& database, const mapping::Resource& root,
                               const std::string& behind, int limit) {
  const Dialect dialect = database.dialect();
  const auto& table = mapping::tables_of(root).front();
  const std::string key = quoted(dialect, table.columns.front().name);
  const bool number = table.columns.front().type == ColumnType::integer;
  Statement next{"SELECT " + key + " FROM " + quoted(dialect, table.name), {}};
  if (!behind.empty()) {
    next.sql += " WHERE " + key + in_dialect(dialect, number ? " > {integer}" : " > {key}");
    next.parameters.push_back(stored_key(root, behind));
  }
  next.sql = limited(dialect, next.sql + " ORDER BY " + key, limit);
  std::vector<Value> keys;
  for (const auto& row : database.query(next).rows)
    keys.push_back(number ? Value{integer_in(row.at(0))} : Value{text_in(row.at(0))});
  return keys;
}

bool has_records(Database& database, const mapping::Resource& root) {
  const Dialect dialect = database.dialect();
  const auto& table = mapping::tables_of(root).front();
  const auto read = database.query({"SELECT MAX(" + quoted(dialect, table.columns.front().name) +
                                        ") FROM " + quoted(dialect, table.name),
                                    {}});
  return !mapping::is_null(read.rows.at(0).at(0));
}

Value stored_key(const mapping::Resource& root, const std::string& text) {
  if (mapping::tables_of(root).front().columns.front().type != ColumnType::integer) return text;
  return static_cast<std::int64_t>(std::stoll(text));
}

}  // namespace surveybridge::crm
