#include "connectors/crm/source/source.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "config/text.hpp"
#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/source/source_sql.hpp"

namespace surveybridge::crm {
namespace {

constexpr std::size_t kKeysAtOnce = 500;
constexpr std::size_t kColumnsNamed = 20;

[[noreturn]] void refuse(const std::string& rule) {
  throw DatabaseError(DatabaseError::Kind::other, rule);
}

std::string names_of(const std::vector<Column>& columns) {
  std::string names;
  for (std::size_t i = 0; i < columns.size() && i < kColumnsNamed; ++i) {
    names += (i == 0 ? "" : ", ") + columns[i].name;
  }
  return names + (columns.size() > kColumnsNamed ? ", …" : "");
}

// A column by the name that the configuration has for it. PostgreSQL folds what is not quoted, so
// the case may differ.
const Column& column_named(const std::vector<Column>& columns, const std::string& name) {
  const auto exact = std::find_if(columns.begin(), columns.end(),
                                  [&](const Column& column) { return column.name == name; });
  if (exact != columns.end()) return *exact;
  const auto similar = std::find_if(columns.begin(), columns.end(), [&](const Column& column) {
    return config::same_ignoring_case(column.name, name);
  });
  if (similar != columns.end()) return *similar;
  refuse("the query has no column \"" + name + "\"; it has " + names_of(columns));
}

Windowed windowed(Dialect dialect, const SourceQuery& query, const std::vector<Column>& columns) {
  Windowed source{query.push, query.query, column_named(columns, query.key),
                  column_named(columns, query.when), query.time_zone};
  if (const auto why = unusable_when(dialect, source.when)) refuse(*why);
  return source;
}

// Rows whose key (the last cell) stands among them once; of identical twins the first.
void sort_out_twins(std::vector<mapping::Row> found, Rows& rows) {
  std::map<std::string, std::size_t> first;
  std::set<std::string> different;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [twin, is_new] = first.emplace(found[i].key, i);
    if (!is_new && found[twin->second].cells != found[i].cells) different.insert(found[i].key);
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (different.count(found[i].key) > 0 || first.at(found[i].key) != i) continue;
    rows.rows.push_back(std::move(found[i]));
  }
  rows.duplicate_keys.insert(rows.duplicate_keys.end(), different.begin(), different.end());
}

std::vector<mapping::Row> keyed(Result result) {
  std::vector<mapping::Row> rows;
  for (auto& cells : result.rows) {
    const auto* key = std::get_if<std::string>(&cells.back());
    if (key == nullptr) refuse("the database gave a key that is no text");
    mapping::Row row{*key, {}};
    cells.pop_back();
    row.cells = std::move(cells);
    rows.push_back(std::move(row));
  }
  return rows;
}

// Names in their order, and what key and `when` hold.
bool same_columns(const std::vector<Column>& known, const std::vector<Column>& found,
                  const Windowed& source) {
  return std::ranges::equal(known, found, [&](const Column& a, const Column& b) {
    const bool typed = a.name == source.key.name || a.name == source.when.name;
    return a.name == b.name && (!typed || a.kind == b.kind);
  });
}

std::int64_t count_in(const Result& result) {
  const auto* count = std::get_if<std::int64_t>(&result.rows.at(0).at(0));
  if (count == nullptr) refuse("the database gave a count that is no number");
  return *count;
}

}  // namespace

const std::vector<Column>& Source::columns() {
  if (columns_.empty()) {
    const Dialect dialect = database_.dialect();
    auto columns = database_.query(shape_of_query(dialect, query_.query)).columns;
    const Windowed source = windowed(dialect, query_, columns);
    const auto numbers = numbers_for_dates(dialect, source);
    if (numbers && !database_.query(*numbers).rows.empty()) {
      refuse(*unusable_when(dialect, {source.when.name, ColumnKind::integer}));
    }
    columns_ = std::move(columns);
  }
  return columns_;
}

// A statement that fails may do so since the columns are no longer there: they are looked up anew.
Result Source::query(const Statement& statement) {
  try {
    return database_.query(statement);
  } catch (const DatabaseError& error) {
    if (error.kind == DatabaseError::Kind::other) columns_.clear();
    throw;
  }
}

std::vector<mapping::Row> Source::read(const Statement& statement) {
  Result result = query(statement);
  std::vector<Column> found = result.columns;
  if (!found.empty()) found.pop_back();  // the key as text
  const Windowed source = windowed(database_.dialect(), query_, columns_);
  if (same_columns(columns_, found, source)) return keyed(std::move(result));
  const std::string before = names_of(columns_);
  columns_.clear();
  throw ColumnsChanged("push." + query_.push + ".query: its columns have changed from " + before +
                       " to " + names_of(found) + "; no row was read by the old ones");
}

Rows Source::next(Instant since, Instant until, int limit) {
  const Dialect dialect = database_.dialect();
  const Windowed source = windowed(dialect, query_, columns());
  Rows rows{columns_, {}, {}, 0};
  sort_out_twins(read(unknown_rows(dialect, source, since, until, limit)), rows);
  rows.without_key = count_in(database_.query(rows_without_key(dialect, source, since, until)));
  // SQL Server counts letters, not bytes.
  rows.without_key += static_cast<std::int64_t>(std::erase_if(
      rows.rows, [](const mapping::Row& row) { return row.key.size() > kKeyBytesMax; }));
  return rows;
}

std::int64_t Source::count(Instant since, Instant until) {
  const Dialect dialect = database_.dialect();
  const Windowed source = windowed(dialect, query_, columns());
  return count_in(database_.query(count_unknown(dialect, source, since, until)));
}

std::vector<std::string> Source::keys_of(const Statement& statement) {
  std::vector<std::string> keys;
  for (const auto& row : database_.query(statement).rows)
    keys.push_back(text_in(row.at(0)));
  std::erase_if(keys, [](const std::string& key) { return key.size() > kKeyBytesMax; });
  return keys;
}

std::vector<std::string> Source::undated(int limit) {
  const Dialect dialect = database_.dialect();
  return keys_of(undated_keys(dialect, windowed(dialect, query_, columns()), limit));
}

std::int64_t Source::count_undated() {
  const Dialect dialect = database_.dialect();
  const Windowed source = windowed(dialect, query_, columns());
  return count_in(database_.query(crm::count_undated(dialect, source)));
}

std::vector<std::string> Source::dated_again(Instant since, Instant until, int limit) {
  const Dialect dialect = database_.dialect();
  const Windowed source = windowed(dialect, query_, columns());
  const std::string reason(kUndated);
  return keys_of(keys_set_aside(dialect, source, since, until, reason, limit));
}

Source::Tally Source::tally(Instant since, Instant until) {
  const Dialect dialect = database_.dialect();
  const Windowed source = windowed(dialect, query_, columns());
  Tally tally{count_in(database_.query(count_keys(dialect, source, since, until))), {}};
  for (const auto& row : database_.query(count_states(dialect, source, since, until)).rows)
    tally.by_state[text_in(row.at(0))] = integer_in(row.at(1));
  return tally;
}

Source::Pending Source::pending(int limit) {
  std::vector<std::string> keys;
  for (const auto& row :
       database_.query(pending_keys(database_.dialect(), query_.push, database_.now(), limit))
           .rows) {
    keys.push_back(std::get<std::string>(row.at(0)));
  }
  Pending pending{by_key(keys), {}};
  std::set<std::string> there(pending.rows.duplicate_keys.begin(),
                              pending.rows.duplicate_keys.end());
  for (const mapping::Row& row : pending.rows.rows)
    there.insert(row.key);
  for (std::string& key : keys) {
    if (there.count(key) == 0) pending.gone.push_back(std::move(key));
  }
  return pending;
}

Rows Source::by_key(const std::vector<std::string>& keys) {
  const Dialect dialect = database_.dialect();
  const Windowed source = windowed(dialect, query_, columns());
  const std::set<std::string> asked(keys.begin(), keys.end());
  Rows rows{columns_, {}, {}, 0};
  for (auto next = asked.begin(); next != asked.end();) {
    std::vector<std::string> some;
    while (next != asked.end() && some.size() < kKeysAtOnce)
      some.push_back(*next++);
    auto found = read(rows_by_key(dialect, source, some));
    std::erase_if(found, [&](const mapping::Row& row) { return asked.count(row.key) == 0; });
    sort_out_twins(std::move(found), rows);
  }
  return rows;
}

}  // namespace surveybridge::crm
