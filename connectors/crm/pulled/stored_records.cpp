#include "connectors/crm/pulled/stored_records.hpp"

#include <algorithm>

#include "connectors/crm/dialect/arrays.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Record;
using mapping::TableRows;

constexpr std::ptrdiff_t kAtOnce = 100;  // a result is limited, and there are many children

std::string select_from(Dialect dialect, const Table& table, std::size_t keys) {
  std::string columns;
  for (const auto& column : table.columns)
    columns += (columns.empty() ? "" : ", ") + quoted(dialect, column.name);
  return "SELECT " + columns + " FROM " + quoted(dialect, table.name) + " WHERE " +
         one_of(dialect, table.columns.front(), keys);
}

TableRows rows_under(Database& database, const Table& table, const std::vector<Value>& keys) {
  TableRows found{&table, {}};
  for (auto& run : key_chunks(database.dialect(), keys)) {
    // A run contains an array or the keys themselves; one_of() needs the number of keys.
    const std::string sql = select_from(database.dialect(), table, run.size());
    for (auto& row : database.query({sql, std::move(run)}).rows) {
      for (std::size_t i = 0; i < row.size(); ++i)
        row[i] = as_written(row[i], table.columns[i].type);
      found.rows.push_back(std::move(row));
    }
  }
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
