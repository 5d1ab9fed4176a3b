#include "connectors/crm/pulled/write_back.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "connectors/crm/dialect/arrays.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/stored_columns.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Record;

// Those of these keys that the ledger has of a push.
std::set<std::string> keys_of_push(Database& database, const std::string& push,
                                   const std::vector<Value>& keys) {
  const Dialect dialect = database.dialect();
  const mapping::TableColumn key{"key", ColumnType::key_text};
  std::set<std::string> known;
  for (auto& run : key_chunks(dialect, keys)) {
    const std::string sql = in_dialect(dialect, R"(SELECT "key" FROM "survey_push" WHERE )") +
                            one_of(dialect, key, run.size()) + " AND " + quoted(dialect, "push") +
                            " = :p" + std::to_string(run.size() + 1);
    run.emplace_back(push);
    for (const auto& row : database.query({sql, std::move(run)}).rows)
      known.insert(text_in(row.at(0)));
  }
  return known;
}

Written write_at_once(Database& database, const CompiledWrite& write,
                      const std::vector<WriteRow>& rows) {
  std::vector<std::vector<Value>> cells;
  for (const auto& row : rows) {
    cells.push_back(row.match);
    cells.back().insert(cells.back().end(), row.set.begin(), row.set.end());
  }
  const std::size_t columns = write.match.size() + write.set.size();
  const auto result = database.query(
      {write_many(database.dialect(), write.shape), columns_as_arrays(cells, columns)});
  const auto& counts = result.rows.at(0);
  Written written{integer_in(counts.at(0)), integer_in(counts.at(1)), integer_in(counts.at(2))};
  if (written.matched_none == 0) return written;
  for (const auto& row : database
                             .query({unmatched_many(database.dialect(), write.shape),
                                     columns_as_arrays(cells, columns)})
                             .rows)
    written.unmatched.push_back(rows.at(static_cast<std::size_t>(integer_in(row.at(0)) - 1)));
  return written;
}

std::int64_t write_row(Database& database, const CompiledWrite& write, const WriteRow& row) {
  Statement statement{write_one(database.dialect(), write.shape), row.set};
  auto& parameters = statement.parameters;
  parameters.insert(parameters.end(), row.match.begin(), row.match.end());
  parameters.insert(parameters.end(), row.set.begin(), row.set.end());
  return database.execute(statement);
}

Written write_by_row(Database& database, const CompiledWrite& write,
                     const std::vector<WriteRow>& rows) {
  Written written;
  const std::string count = count_matches(database.dialect(), write.shape);
  for (const auto& row : rows) {
    const auto hits = integer_in(database.query({count, row.match}).rows.at(0).at(0));
    if (hits == 0) ++written.matched_none;
    if (hits == 0) written.unmatched.push_back(row);
    if (hits > 1) ++written.matched_many;
    if (hits > 0) written.changed += write_row(database, write, row);
  }
  return written;
}

void add(Written& all, Written more) {
  all.changed += more.changed;
  all.matched_none += more.matched_none;
  all.matched_many += more.matched_many;
  std::ranges::move(more.unmatched, std::back_inserter(all.unmatched));
}

std::vector<WriteRow> narrowed(std::vector<WriteRow> rows) {
  for (auto& row : rows) {
    for (auto at = row.left.rbegin(); at != row.left.rend(); ++at)
      row.set.erase(row.set.begin() + static_cast<std::ptrdiff_t>(*at));
    row.left.clear();
  }
  return rows;
}

void make_rows(Database& database, const CompiledWrite& write, Written& written) {
  for (const auto& row : written.unmatched) {
    Statement statement{insert_one(database.dialect(), write.shape), row.match};
    auto& parameters = statement.parameters;
    parameters.insert(parameters.end(), row.set.begin(), row.set.end());
    written.changed += database.execute(statement);
  }
  written.matched_none -= static_cast<std::int64_t>(written.unmatched.size());
  written.unmatched.clear();
}

Written write_group(Database& database, const CompiledWrite& write,
                    const std::vector<WriteRow>& rows) {
  if (write.set.empty()) return {};
  Written written = traits(database.dialect()).takes_arrays ? write_at_once(database, write, rows)
                                                            : write_by_row(database, write, rows);
  if (write.insert) make_rows(database, write, written);
  return written;
}

bool about_a_row(const DatabaseError& error) {
  return error.kind == DatabaseError::Kind::constraint || error.kind == DatabaseError::Kind::other;
}

// Runs the statement for a row that matches nothing: it fails only if the statement is at fault.
void prove(Database& database, const CompiledWrite& write) {
  const WriteRow nothing{std::vector<Value>(write.match.size()),
                         std::vector<Value>(write.set.size())};
  try {
    Transaction rolled_back(database);
    if (traits(database.dialect()).takes_arrays) {
      write_at_once(database, write, {nothing});
    } else {
      write_row(database, write, nothing);
    }
  } catch (const DatabaseError& error) {
    if (!about_a_row(error)) throw;
    throw DatabaseError(error.kind,
                        "the write-back into " + write.shape.table + ": " + error.what());
  }
}

// The first row that the database refuses when all are written in turn; rows.size(): none.
std::size_t first_refused(Database& database, const CompiledWrite& write,
                          const std::vector<WriteRow>& rows) {
  std::size_t i = 0;
  try {
    Transaction rolled_back(database);
    for (; i < rows.size(); ++i)
      write_back(database, write, {rows[i]});
  } catch (const DatabaseError& error) {
    if (!about_a_row(error)) throw;
  }
  return i;
}

}  // namespace

std::vector<Record> records_of_push(Database& database, const CompiledWrite& write,
                                    std::vector<Record> records) {
  if (write.push.empty()) return records;
  const mapping::DataColumn column = stored_column(database, write.correlate);
  std::vector<Value> keys;
  for (const Record& record : records)
    if (auto key = mapping::data_value(record, column); !key.empty()) keys.emplace_back(key);
  const auto known = keys_of_push(database, write.push, keys);
  std::erase_if(records, [&](const Record& record) {
    return !known.contains(mapping::data_value(record, column));
  });
  return records;
}

CompiledWrite without_cells(const CompiledWrite& write, const std::vector<std::size_t>& left) {
  CompiledWrite rest = write;
  for (auto at = left.rbegin(); at != left.rend(); ++at) {
    rest.set.erase(rest.set.begin() + static_cast<std::ptrdiff_t>(*at));
    rest.shape.set.erase(rest.shape.set.begin() + static_cast<std::ptrdiff_t>(*at));
  }
  return rest;
}

// Rows of which the same cells are written go together.
Written write_back(Database& database, const CompiledWrite& write,
                   const std::vector<WriteRow>& rows) {
  std::map<std::vector<std::size_t>, std::vector<WriteRow>> groups;
  for (const auto& row : rows)
    groups[row.left].push_back(row);
  Written all;
  for (const auto& [left, group] : groups)
    add(all, left.empty() ? write_group(database, write, group)
                          : write_group(database, without_cells(write, left), narrowed(group)));
  return all;
}

Written write_singly(Database& database, const CompiledWrite& write,
                     const std::vector<WriteRow>& rows) {
  Written all;
  for (const auto& row : rows) {
    add(all, write_back(database, write, {row}));
  }
  return all;
}

std::vector<WriteRow> refused_rows(Database& database, const CompiledWrite& write,
                                   const std::vector<WriteRow>& rows) {
  prove(database, write);
  std::vector<WriteRow> good = rows, refused;
  while (true) {
    const std::size_t at = first_refused(database, write, good);
    if (at == good.size()) return refused;
    refused.push_back(good[at]);
    good.erase(good.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

std::vector<std::size_t> refused_cells(Database& database, const CompiledWrite& write,
                                       const WriteRow& row) {
  std::vector<std::size_t> refused;
  for (std::size_t i = 0; i < write.set.size(); ++i) {
    if (std::ranges::find(row.left, i) != row.left.end()) continue;
    WriteRow alone = row;
    alone.left.clear();
    for (std::size_t other = 0; other < write.set.size(); ++other)
      if (other != i) alone.left.push_back(other);
    if (first_refused(database, write, {alone}) == 0) refused.push_back(i);
  }
  return refused;
}

}  // namespace surveybridge::crm
