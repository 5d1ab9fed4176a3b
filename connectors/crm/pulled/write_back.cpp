#include "connectors/crm/pulled/write_back.hpp"

#include <algorithm>

#include "connectors/crm/dialect/arrays.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/pulled/column_conversion.hpp"
#include "connectors/crm/rows/typed_cells.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Record;

// The values of some cells; empty if one does not fit its column.
std::optional<std::vector<Value>> values_of(const std::vector<CompiledWrite::Cell>& cells,
                                            const Record& record, const std::string& time_zone) {
  std::vector<Value> values;
  for (const auto& cell : cells) {
    auto value = convert_to_column(cell.path.read(record), cell.kind, time_zone);
    if (!value) return std::nullopt;
    values.push_back(std::move(*value));
  }
  return values;
}

void keep_the_later(std::vector<WriteRow>& rows, WriteRow row) {
  std::erase_if(rows, [&](const WriteRow& earlier) { return earlier.match == row.match; });
  rows.push_back(std::move(row));
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
  return {integer_in(counts.at(0)), integer_in(counts.at(1)), integer_in(counts.at(2))};
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
    if (hits > 1) ++written.matched_many;
    if (hits > 0) written.changed += write_row(database, write, row);
  }
  return written;
}

bool about_a_row(const DatabaseError& error) {
  return error.kind == DatabaseError::Kind::constraint || error.kind == DatabaseError::Kind::other;
}

// Runs the statement for a row that matches nothing: it fails only if the statement is at fault.
void prove(Database& database, const CompiledWrite& write) {
  const WriteRow nothing{std::vector<Value>(write.match.size()),
                         std::vector<Value>(write.set.size())};
  Transaction rolled_back(database);
  if (traits(database.dialect()).takes_arrays) {
    write_at_once(database, write, {nothing});
  } else {
    write_row(database, write, nothing);
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

WriteRows rows_for(const CompiledWrite& write, const std::vector<Record>& records) {
  WriteRows all;
  for (const Record& record : records) {
    auto match = values_of(write.match, record, write.time_zone);
    if (!match || std::ranges::any_of(*match, mapping::is_null)) {
      ++all.matched_none;
    } else if (auto set = values_of(write.set, record, write.time_zone)) {
      keep_the_later(all.rows, {std::move(*match), std::move(*set)});
    } else {
      ++all.unfit;
    }
  }
  return all;
}

std::vector<WriteRow> rows_to_empty(const CompiledWrite& write,
                                    const std::vector<Record>& records) {
  std::vector<WriteRow> rows;
  for (const Record& record : records) {
    auto match = values_of(write.match, record, write.time_zone);
    if (!match || std::ranges::any_of(*match, mapping::is_null)) continue;
    keep_the_later(rows, {std::move(*match), std::vector<Value>(write.set.size())});
  }
  return rows;
}

Written write_back(Database& database, const CompiledWrite& write,
                   const std::vector<WriteRow>& rows) {
  if (rows.empty()) return {};
  return traits(database.dialect()).takes_arrays ? write_at_once(database, write, rows)
                                                 : write_by_row(database, write, rows);
}

Written write_singly(Database& database, const CompiledWrite& write,
                     const std::vector<WriteRow>& rows) {
  Written all;
  for (const auto& row : rows) {
    const Written one = write_back(database, write, {row});
    all.changed += one.changed;
    all.matched_none += one.matched_none;
    all.matched_many += one.matched_many;
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

}  // namespace surveybridge::crm
