#include "connectors/crm/pulled/write_back.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/text.hpp"
#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/pulled/catalog.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/erased_keys.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "connectors/crm/schema/stored_columns.hpp"
#include "mapping/codec/codec.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Record;

// Those of these keys that the ledger has of a push.
std::set<std::string> keys_of_push(Database& database, const std::string& push,
                                   const std::vector<Value>& keys) {
  std::set<std::string> known;
  std::vector<std::string> texts;
  for (const auto& each : keys)
    texts.push_back(text_in(each));
  const auto asked = by_stored_name(database, texts);
  for (const auto& row :
       rows_with_keys(database, R"(SELECT "key" FROM "survey_push")", {"key", ColumnType::key_text},
                      names_in(asked), R"( AND "push" = {key})", {push}))
    if (const auto of = asked.find(text_in(row.at(0))); of != asked.end()) known.insert(of->second);
  return known;
}

std::size_t position_in(const std::vector<Value>& row) {
  return static_cast<std::size_t>(integer_in(row.at(0)) - 1);
}

// How many rows of the CRM one of ours matches, and how many of those differ from it.
struct Hits {
  std::int64_t rows = 0, differing = 0;
};
std::vector<Hits> hits_of(Database& database, const CompiledWrite& write, RowsAtOnce rows) {
  std::vector<Hits> all(rows.size());
  for (const auto& row : database.query(count_matches(database.dialect(), write.shape, rows)).rows)
    all.at(position_in(row)) = {integer_in(row.at(1)), integer_in(row.at(2))};
  return all;
}

// How many rows of the CRM each of ours has changed.
std::vector<std::int64_t> change(Database& database, const CompiledWrite& write, RowsAtOnce rows) {
  std::vector<std::int64_t> changed(rows.size());
  const auto update = update_rows(database.dialect(), write.shape, rows);
  if (!traits(database.dialect()).takes_arrays) {
    changed.front() = database.execute(update);
    return changed;
  }
  for (const auto& row : database.query(update).rows)
    changed.at(position_in(row)) = integer_in(row.at(1));
  return changed;
}

// What stands at a cell in its column. Empty: the column has no object that the key could be in.
std::optional<Value> cell_in(const WriteShape::Column& column, const Value& stored) {
  if (column.key.empty() || mapping::is_null(stored)) return stored;
  const auto* text = std::get_if<std::string>(&stored);
  return text == nullptr ? std::nullopt : mapping::read_member(*text, column.key);
}

// Columns of one sentence: no one of them explains it alone.
std::string joined(const std::vector<std::string>& columns) {
  const std::string names = fmt::format("{}", fmt::join(columns, ", "));
  return std::string(config::first_bytes(names, kKeyBytesMax));
}

std::string names_of(const std::vector<WriteShape::Column>& columns) {
  std::vector<std::string> names;
  for (const auto& column : columns)
    names.push_back(column.shown());
  return joined(names);
}

// Notes what rows of the CRM hold instead of what was to be written. `changed`: whether the
// database took each of ours.
void look_again(Database& database, const CompiledWrite& write, RowsAtOnce rows,
                const std::vector<bool>& changed, Written& written) {
  const auto differing = differing_rows(database.dialect(), write.shape, rows);
  for (const auto& stored : database.query(differing).rows) {
    const std::size_t at = position_in(stored);
    const WriteRow& row = rows[at];
    for (std::size_t i = 0; i < write.set.size(); ++i) {
      const auto cell = cell_in(write.shape.set[i], stored.at(i + 1));
      if (is_as_wished(row.set.at(i), cell.value_or(mapping::Null{}))) continue;
      const auto reason = !cell ? kNoObject : changed.at(at) ? kStoredOtherwise : kLeftAlone;
      written.missing.push_back({row.record, write.shape.set[i].shown(), std::string(reason)});
    }
  }
}

Written write_at_once(Database& database, const CompiledWrite& write, RowsAtOnce rows) {
  Written written;
  std::vector<WriteRow> differing;
  std::vector<std::int64_t> wanted;
  const auto hits = hits_of(database, write, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (hits[i].rows == 0) written.unmatched.push_back(rows[i]);
    if (hits[i].rows > 1) ++written.matched_many;
    if (hits[i].differing == 0) continue;
    differing.push_back(rows[i]);
    wanted.push_back(hits[i].differing);
  }
  written.matched_none = static_cast<std::int64_t>(written.unmatched.size());
  if (differing.empty()) return written;
  const auto changed = change(database, write, differing);
  std::vector<bool> taken;
  for (std::size_t i = 0; i < changed.size(); ++i) {
    written.changed += changed[i];
    taken.push_back(changed[i] >= wanted[i]);
  }
  look_again(database, write, differing, taken, written);
  return written;
}

void add(Written& all, Written more) {
  all.changed += more.changed;
  all.matched_none += more.matched_none;
  all.matched_many += more.matched_many;
  std::ranges::move(more.unmatched, std::back_inserter(all.unmatched));
  std::ranges::move(more.missing, std::back_inserter(all.missing));
  std::ranges::move(more.made, std::back_inserter(all.made));
}

std::vector<WriteRow> narrowed(std::vector<WriteRow> rows) {
  for (auto& row : rows) {
    for (auto at = row.left.rbegin(); at != row.left.rend(); ++at)
      row.set.erase(row.set.begin() + static_cast<std::ptrdiff_t>(*at));
    row.left.clear();
  }
  return rows;
}

// For `forget`. Where another session has made one, too, nobody can tell which is ours.
void note_made(Database& database, const CompiledWrite& write, const WriteRow& row,
               std::vector<MadeRow>& made) {
  if (!write.deletes) return;
  const auto found = database.query(keys_of_matches(database.dialect(), write.shape, row)).rows;
  std::string key = found.size() == 1 ? text_in(found.front().at(0)) : "";
  if (!key.empty() && key.size() <= kKeyBytesMax) made.push_back({row, std::move(key)});
}

void make_rows(Database& database, const CompiledWrite& write, Written& written) {
  for (const auto& row : written.unmatched) {
    const auto inserted = database.execute(insert_row(database.dialect(), write.shape, row));
    const auto [hits, differing] = hits_of(database, write, {&row, 1}).front();
    // The next time it would be made once more.
    if (inserted > 0 && hits == 0)
      throw DatabaseError(DatabaseError::Kind::constraint, std::string(kMadeOtherwise),
                          {std::string(kNoData)});
    written.changed += inserted;
    note_made(database, write, row, written.made);
    if (differing > 0) look_again(database, write, {&row, 1}, {true}, written);
    if (hits == 0)
      written.missing.push_back({row.record, names_of(write.shape.set), std::string(kNoNewRow)});
  }
  written.matched_none -= static_cast<std::int64_t>(written.unmatched.size());
  written.unmatched.clear();
}

// As many rows at a time as one statement takes.
template <typename Use>
void in_groups(Database& database, const std::vector<WriteRow>& rows, Use use) {
  const std::size_t at_once = traits(database.dialect()).takes_arrays ? rows.size() : 1;
  for (std::size_t from = 0; from < rows.size(); from += at_once)
    use(RowsAtOnce(rows).subspan(from, at_once));
}

Written write_group(Database& database, const CompiledWrite& write,
                    const std::vector<WriteRow>& rows) {
  Written written;
  in_groups(database, rows,
            [&](RowsAtOnce some) { add(written, write_at_once(database, write, some)); });
  if (write.insert) make_rows(database, write, written);
  return written;
}

// Databases and drivers have codes of their own for what is too large, or none.
ErrorCode code_of(const DatabaseError& error) {
  const ErrorCode too_long{"22001"};
  return error.kind == DatabaseError::Kind::too_large ? too_long : error.code;
}

bool lacks_right(const ErrorCode& code) {
  return code.sqlstate == "42501" || code.number == 1142 || code.number == 1143;  // MariaDB's
}

constexpr const char* kAdministrator = "; the database's administrator types: ";

bool is_given(const CompiledWrite& write, const std::string& column) {
  const auto has_it = [&](const std::vector<WriteShape::Column>& columns) {
    return std::ranges::find(columns, column, &WriteShape::Column::name) != columns.end();
  };
  return has_it(write.shape.match) || has_it(write.shape.set);
}

void prove_new_row(Database& database, const CompiledWrite& write) {
  for (const auto& [column, sequence] : refused_sequences(database, write.shape.table)) {
    if (is_given(write, column)) continue;
    throw DatabaseError(DatabaseError::Kind::other,
                        "a new row takes its \"" + column + "\" from the sequence " + sequence +
                            ", which this account may not use" + kAdministrator +
                            grant(database, "USAGE ON SEQUENCE " + sequence));
  }
  try {
    database.execute(insert_no_row(database.dialect(), write.shape));
  } catch (const DatabaseError& error) {
    // Of all else each row has the reason.
    if (!about_a_row(error) || lacks_right(error.code)) throw;
  }
}

// Runs the statement for a row that matches nothing: it fails only if the statement is at fault.
void prove(Database& database, const CompiledWrite& write) {
  const WriteRow nothing{std::vector<Value>(write.match.size()),
                         std::vector<Value>(write.set.size())};
  try {
    Transaction rolled_back(database);
    change(database, write, {&nothing, 1});
    if (write.deletes)
      database.execute(delete_made(database.dialect(), write.shape, {nothing, ""}));
    if (write.insert) prove_new_row(database, write);
  } catch (const DatabaseError& error) {
    if (!about_a_row(error)) throw;
    throw DatabaseError(error.kind,
                        "the write-back into " + write.shape.table + ": " + error.what() +
                            grant_for(database, write, error.code),
                        error.code);
  }
}

// The first row that the database refuses when all are written in turn; rows.size(): none.
struct FirstRefused {
  std::size_t at = 0;
  ErrorCode code = {};
};
FirstRefused first_refused(Database& database, const CompiledWrite& write,
                           const std::vector<WriteRow>& rows) {
  FirstRefused first;
  try {
    Transaction rolled_back(database);
    for (; first.at < rows.size(); ++first.at)
      write_back(database, write, {rows[first.at]});
  } catch (const DatabaseError& error) {
    if (!about_a_row(error)) throw;
    first.code = code_of(error);
  }
  return first;
}

// The error of a row that the database refuses; none: it takes the row.
std::optional<ErrorCode> error_of(Database& database, const CompiledWrite& write,
                                  const WriteRow& row) {
  const auto first = first_refused(database, write, {row});
  return first.at == 0 ? std::optional(first.code) : std::nullopt;
}

bool is_left(const WriteRow& row, std::size_t cell) {
  return std::ranges::find(row.left, cell) != row.left.end();
}

// The row with this cell alone, or with all but this one.
WriteRow with_only(const CompiledWrite& write, WriteRow row, std::size_t cell) {
  row.left.clear();
  for (std::size_t other = 0; other < write.set.size(); ++other)
    if (other != cell) row.left.push_back(other);
  return row;
}

WriteRow without(WriteRow row, std::size_t cell) {
  row.left.push_back(cell);
  std::ranges::sort(row.left);
  return row;
}

// The database cannot look for the row.
Refusal why_not_found(const CompiledWrite& write, const RefusedRow& refused) {
  Refusal refusal = whole_refusal(write, refused);
  refusal.because = {{names_of(write.shape.match), reason_of(refused.code)}};
  return refusal;
}

// Of a row that stands in the CRM: each cell is tried alone.
Refusal why_not_changed(Database& database, const CompiledWrite& write, const RefusedRow& refused) {
  Refusal refusal{refused.row.match, {}, {}};
  for (std::size_t i = 0; i < write.set.size(); ++i) {
    if (is_left(refused.row, i)) continue;
    const auto error = error_of(database, write, with_only(write, refused.row, i));
    if (!error) continue;
    refusal.cells.push_back(i);
    refusal.because.emplace_back(write.shape.set[i].shown(), reason_of(*error));
  }
  return refusal.cells.empty() ? whole_refusal(write, refused) : refusal;
}

using Reasons = std::vector<std::pair<std::string, std::string>>;

// Columns that a new row needs a value in, and for which there is none.
Reasons lacking_values(const CompiledWrite& write, const WriteRow& row) {
  Reasons because;
  for (std::size_t i = 0; i < write.set.size(); ++i)
    if (!write.set[i].takes_null && (is_left(row, i) || mapping::is_null(row.set[i])))
      because.emplace_back(write.shape.set[i].shown(), kTakesNoNull);
  for (const auto& column : write.needed)
    because.emplace_back(column, kNeeded);
  return because;
}

// Match columns whose value no new row may have: a row of it alone is refused for the same reason.
Reasons refused_matches(Database& database, const CompiledWrite& write, const RefusedRow& refused) {
  Reasons because;
  const std::string reason = reason_of(refused.code);
  for (std::size_t i = 0; i < write.match.size(); ++i) {
    const auto& column = write.shape.match[i];
    try {
      Transaction rolled_back(database);
      const WriteShape alone{write.shape.table, {column}, {}};
      const WriteRow row{{refused.row.match[i]}, {}};
      database.execute(insert_row(database.dialect(), alone, row));
    } catch (const DatabaseError& error) {
      if (!about_a_row(error)) throw;
      if (reason_of(code_of(error)) == reason) because.emplace_back(column.name, reason);
    }
  }
  return because;
}

// The columns of a unique key of which another row has the values; empty: it is not known.
std::vector<std::string> key_in_the_way(Database& database, const CompiledWrite& write,
                                        const WriteRow& row) {
  for (const auto& key : unique_keys(database, write.shape.table)) {
    CompiledWrite same = write;
    same.shape.match.clear();
    same.shape.set.clear();
    WriteRow ours;
    const auto add = [&](const WriteShape::Column& column, const Value& value) {
      if (!column.key.empty() || std::ranges::find(key, column.name) == key.end()) return;
      same.shape.match.push_back(column);
      ours.match.push_back(value);
    };
    for (std::size_t i = 0; i < row.match.size(); ++i)
      add(write.shape.match[i], row.match[i]);
    for (std::size_t i = 0; i < row.set.size(); ++i)
      if (!is_left(row, i)) add(write.shape.set[i], row.set[i]);
    if (!ours.match.empty() && hits_of(database, same, {&ours, 1}).front().rows > 0) return key;
  }
  return {};
}

// Cells that a new row may not have, whatever else it has.
std::vector<std::size_t> cells_refused_alone(Database& database, const CompiledWrite& write,
                                             const RefusedRow& refused) {
  std::vector<std::size_t> cells;
  for (std::size_t i = 0; i < write.set.size(); ++i) {
    if (is_left(refused.row, i)) continue;
    const auto error = error_of(database, write, with_only(write, refused.row, i));
    if (error && reason_of(*error) == reason_of(refused.code)) cells.push_back(i);
  }
  return cells;
}

// Of a new row: cells alone may lack what else the row needs.
Refusal why_not_made(Database& database, const CompiledWrite& write, const RefusedRow& refused) {
  const WriteRow& row = refused.row;
  const ErrorCode& code = refused.code;
  const std::string reason = reason_of(code);
  const auto without_cells = [&](const std::vector<std::size_t>& cells) -> std::optional<Refusal> {
    WriteRow rest = row;
    Refusal refusal{row.match, cells, {}};
    for (const std::size_t i : cells) {
      rest = without(std::move(rest), i);
      refusal.because.emplace_back(write.shape.set[i].shown(), reason);
    }
    const bool nothing = rest.left.size() == write.set.size();
    if (nothing || error_of(database, write, rest)) return std::nullopt;
    return refusal;
  };
  for (std::size_t i = 0; i < write.set.size(); ++i)
    if (!is_left(row, i))
      if (auto refusal = without_cells({i})) return *std::move(refusal);
  const auto alone = cells_refused_alone(database, write, refused);
  if (auto refusal = without_cells(alone)) return *std::move(refusal);
  Refusal refusal = whole_refusal(write, refused);
  Reasons because;
  if (reason == kMadeOtherwise) {
    because = {{names_of(write.shape.match), reason}};
  } else if (refuses_null(code)) {
    because = lacking_values(write, row);
  } else if (is_of_unique_key(code)) {
    if (const auto key = key_in_the_way(database, write, row); !key.empty())
      because = {{joined(key), reason}};
  }
  if (because.empty() && !refuses_null(code) && !is_of_trigger(code))
    because = refused_matches(database, write, refused);
  if (!because.empty()) refusal.because = std::move(because);
  return refusal;
}

}  // namespace

std::string grant_for(Database& database, const CompiledWrite& write, const ErrorCode& code) {
  if (!lacks_right(code)) return "";
  std::string right = "SELECT, UPDATE";
  if (write.insert) right += ", INSERT";
  if (write.deletes) right += ", DELETE";
  const std::string types = grant_on_table(database, right, write.shape.table);
  return types.empty() ? "" : kAdministrator + types;
}

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

namespace {

// A constraint that is checked only at the COMMIT refuses all rows and names none.
void let_constraints_count(Database& database) {
  const auto at_once = traits(database.dialect()).constraints_at_once;
  if (!at_once.empty()) database.execute({std::string(at_once), {}});
}

// Rows of which the same cells are written go together.
Written write_grouped(Database& database, const CompiledWrite& write,
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

}  // namespace

Written write_back(Database& database, const CompiledWrite& write,
                   const std::vector<WriteRow>& rows) {
  let_constraints_count(database);
  return write_grouped(database, write, rows);
}

Written write_singly(Database& database, const CompiledWrite& write,
                     const std::vector<WriteRow>& rows) {
  let_constraints_count(database);
  Written all;
  for (const auto& row : rows)
    add(all, write_grouped(database, write, {row}));
  return all;
}

std::int64_t remove_made(Database& database, const CompiledWrite& write,
                         const std::vector<MadeRow>& made) {
  if (made.empty()) return 0;
  let_constraints_count(database);
  std::int64_t removed = 0;
  for (const auto& each : made) {
    removed += database.execute(delete_made(database.dialect(), write.shape, each));
    if (!database.query(select_made(database.dialect(), write.shape, each)).rows.empty())
      throw DatabaseError(DatabaseError::Kind::other, std::string(kNotRemoved));
  }
  return removed;
}

std::vector<WriteRow> rows_to_change(Database& database, const CompiledWrite& write,
                                     const std::vector<WriteRow>& rows) {
  std::vector<WriteRow> all;
  if (write.set.empty()) return all;
  in_groups(database, rows, [&](RowsAtOnce some) {
    for (const auto& row :
         database.query(differing_rows(database.dialect(), write.shape, some)).rows) {
      const WriteRow& of = some[position_in(row)];
      WriteRow& is = all.emplace_back(WriteRow{of.match, {}, of.left});
      for (std::size_t i = 0; i < write.set.size(); ++i)
        is.set.push_back(cell_in(write.shape.set[i], row.at(i + 1)).value_or(mapping::Null{}));
    }
  });
  return all;
}

bool about_a_row(const DatabaseError& error) {
  using Kind = DatabaseError::Kind;
  return error.kind == Kind::constraint || error.kind == Kind::too_large ||
         error.kind == Kind::other;
}

std::vector<RefusedRow> refused_rows(Database& database, const CompiledWrite& write,
                                     const std::vector<WriteRow>& rows) {
  prove(database, write);
  std::vector<WriteRow> good = rows;
  std::vector<RefusedRow> refused;
  while (true) {
    const auto [at, code] = first_refused(database, write, good);
    if (at == good.size()) return refused;
    refused.push_back({good[at], code});
    good.erase(good.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

Refusal refusal_of(Database& database, const CompiledWrite& write, const RefusedRow& refused) {
  CompiledWrite match_alone = write;
  match_alone.shape.set.clear();
  const WriteRow row{refused.row.match, {}};
  Hits hits;
  try {
    hits = hits_of(database, match_alone, {&row, 1}).front();
  } catch (const DatabaseError& error) {
    if (!about_a_row(error)) throw;
    return why_not_found(write, {refused.row, code_of(error)});
  }
  const bool is_new = write.insert && hits.rows == 0;
  return is_new ? why_not_made(database, write, refused)
                : why_not_changed(database, write, refused);
}

Refusal whole_refusal(const CompiledWrite& write, const RefusedRow& refused) {
  Refusal refusal{refused.row.match, {}, {}};
  std::vector<WriteShape::Column> columns;
  for (std::size_t i = 0; i < write.set.size(); ++i) {
    refusal.cells.push_back(i);
    if (!is_left(refused.row, i)) columns.push_back(write.shape.set[i]);
  }
  refusal.because = {{names_of(columns), reason_of(refused.code)}};
  return refusal;
}

}  // namespace surveybridge::crm
