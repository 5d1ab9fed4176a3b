#include "connectors/crm/rows/put_rows.hpp"

#include <algorithm>
#include <iterator>

#include "connectors/crm/dialect/arrays.hpp"
#include "connectors/crm/dialect/copy_text.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/typed_cells.hpp"

namespace surveybridge::crm {

void put(Database& database, const std::string& sql, const std::vector<std::vector<Value>>& rows) {
  if (rows.empty()) return;
  if (traits(database.dialect()).takes_arrays) {
    database.execute({sql, columns_as_arrays(rows, rows.front().size())});
  } else {
    database.execute_each(sql, rows);
  }
}

void upsert_rows(Database& database, const mapping::Table& table,
                 const std::vector<std::vector<Value>>& rows) {
  put(database, upsert(database.dialect(), table), rows);
}

void insert_rows(Database& database, const mapping::Table& table,
                 const std::vector<std::vector<Value>>& rows) {
  insert_rows(database, table, [&](const RowSink& take) {
    for (const auto& row : rows)
      take(row);
  });
}

void insert_rows(Database& database, const mapping::Table& table, const RowSource& rows) {
  if (database.copy_from(copy_statement(table), rows)) return;
  std::vector<std::vector<Value>> all;
  rows([&](const std::vector<Value>& row) { all.push_back(row); });
  put(database, insert(database.dialect(), table), all);
}

std::vector<std::vector<mapping::Value>> key_chunks(Dialect dialect,
                                                    const std::vector<mapping::Value>& keys) {
  constexpr std::size_t kKeysAtOnce = 500;  // SQL Server allows 2,100 parameters, old SQLite 999
  if (keys.empty()) return {};
  if (traits(dialect).takes_arrays) return {{array_literal(keys)}};
  std::vector<std::vector<mapping::Value>> runs;
  for (std::size_t i = 0; i < keys.size(); i += kKeysAtOnce) {
    const auto end = std::min(keys.size(), i + kKeysAtOnce);
    runs.emplace_back(keys.begin() + static_cast<std::ptrdiff_t>(i),
                      keys.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return runs;
}

std::vector<std::vector<Value>> query_rows(Database& database, std::string_view pattern,
                                           const std::vector<Value>& parameters,
                                           std::optional<int> most) {
  const Dialect dialect = database.dialect();
  const std::string sql = in_dialect(dialect, pattern);
  return database.query({most ? limited(dialect, sql, *most) : sql, parameters}).rows;
}

Value query_value(Database& database, std::string_view pattern,
                  const std::vector<Value>& parameters) {
  return query_rows(database, pattern, parameters).at(0).at(0);
}

std::int64_t run_statement(Database& database, std::string_view pattern,
                           const std::vector<Value>& parameters) {
  return database.execute({in_dialect(database.dialect(), pattern), parameters});
}

std::int64_t run_each(Database& database, std::string_view pattern,
                      const std::vector<std::vector<Value>>& rows) {
  return database.execute_each(in_dialect(database.dialect(), pattern), rows);
}

bool has_row(Database& database, std::string_view pattern, const std::vector<Value>& parameters) {
  return !query_rows(database, pattern, parameters, 1).empty();
}

std::vector<std::string> texts_in(const std::vector<std::vector<Value>>& rows) {
  std::vector<std::string> texts;
  for (const auto& row : rows)
    texts.push_back(text_in(row.at(0)));
  return texts;
}

std::set<std::string> text_set_in(const std::vector<std::vector<Value>>& rows) {
  const auto texts = texts_in(rows);
  return {texts.begin(), texts.end()};
}

namespace {

// The condition that a row has a key, of as many parameters.
std::string is_row(const mapping::Table& table) {
  std::string condition;
  for (std::size_t i = 0; i < table.key_size; ++i) {
    const auto& [name, type, required] = table.columns[i];
    condition += (i == 0 ? "\"" : " AND \"") + name +
                 (type == ColumnType::integer ? "\" = {integer}" : "\" = {key}");
  }
  return condition;
}

}  // namespace

bool add_to_row(Database& database, const mapping::Table& table, const std::vector<Value>& row) {
  const auto numbers = row.begin() + static_cast<std::ptrdiff_t>(table.key_size);
  std::vector<Value> values(numbers, row.end());
  values.insert(values.end(), row.begin(), numbers);
  std::string added;
  for (std::size_t i = table.key_size; i < table.columns.size(); ++i) {
    const std::string name = '"' + table.columns[i].name + '"';
    added += (added.empty() ? "" : ", ") + name + " = " + name + " + {integer}";
  }
  if (run_statement(database,
                    "UPDATE \"" + table.name + "\" SET " + added + " WHERE " + is_row(table),
                    values) > 0)
    return true;
  insert_rows(database, table, {row});
  return false;
}

std::int64_t remove_where(Database& database, const mapping::Table& table,
                          std::string_view condition, const std::vector<Value>& parameters) {
  std::string names;
  for (std::size_t i = 0; i < table.key_size; ++i)
    names += (i == 0 ? "\"" : ", \"") + table.columns[i].name + '"';
  const std::string from = " FROM \"" + table.name + "\" WHERE ", where(condition);
  auto rows =
      query_rows(database, "SELECT " + names + from + where + " ORDER BY " + names, parameters);
  for (auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      row[i] = as_written(row[i], table.columns[i].type);
    row.insert(row.end(), parameters.begin(), parameters.end());
  }
  return run_each(database, "DELETE" + from + is_row(table) + " AND (" + where + ")", rows);
}

std::vector<std::vector<Value>> rows_with_keys(Database& database, const std::string& select,
                                               const mapping::TableColumn& column,
                                               const std::vector<Value>& keys,
                                               const std::string& condition,
                                               const std::vector<Value>& parameters) {
  const Dialect dialect = database.dialect();
  std::vector<std::vector<Value>> rows;
  for (auto& run : key_chunks(dialect, keys)) {
    const std::string sql = in_dialect(dialect, select + " WHERE ") +
                            one_of(dialect, column, run.size()) +
                            in_dialect(dialect, condition, run.size());
    run.insert(run.end(), parameters.begin(), parameters.end());
    std::ranges::move(database.query({sql, std::move(run)}).rows, std::back_inserter(rows));
  }
  return rows;
}

std::size_t row_bytes_max(Database& database) {
  constexpr std::size_t kRest = 16'384;  // beside the texts and bytes
  const std::string_view sql = traits(database.dialect()).row_bytes_max;
  if (sql.empty()) return std::string::npos;
  const auto most = integer_in(database.query({std::string(sql), {}}).rows.at(0).at(0));
  return static_cast<std::size_t>(std::max<std::int64_t>(most, 2 * kRest)) - kRest;
}

namespace {

// `verb`: "DELETE" or "SELECT *".
std::vector<Statement> on_rows(Dialect dialect, const std::string& verb,
                               const mapping::Table& table,
                               const std::vector<mapping::Value>& keys) {
  std::vector<Statement> statements;
  for (auto& run : key_chunks(dialect, keys)) {
    const std::string sql = verb + " FROM " + quoted(dialect, table.name) + " WHERE " +
                            one_of(dialect, table.columns[0], run.size());
    statements.push_back({sql, std::move(run)});
  }
  return statements;
}

}  // namespace

std::int64_t remove_rows(Database& database, const mapping::Table& table,
                         const std::vector<mapping::Value>& keys) {
  std::int64_t removed = 0;
  for (const auto& statement : on_rows(database.dialect(), "DELETE", table, keys))
    removed += database.execute(statement);
  return removed;
}

Result whole_rows(Database& database, const mapping::Table& table,
                  const std::vector<mapping::Value>& keys) {
  Result all;
  for (const auto& statement : on_rows(database.dialect(), "SELECT *", table, keys)) {
    Result found = database.query(statement);
    all.columns = std::move(found.columns);
    std::ranges::move(found.rows, std::back_inserter(all.rows));
  }
  return all;
}

}  // namespace surveybridge::crm
