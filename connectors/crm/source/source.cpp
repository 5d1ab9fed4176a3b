#include "connectors/crm/source/source.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "config/problem.hpp"
#include "config/text.hpp"
#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/snapshot.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/source/key_types.hpp"
#include "connectors/crm/source/pipes.hpp"
#include "mapping/field_map/compile.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

constexpr std::size_t kColumnsNamed = 20;
constexpr int kUndatedAtOnce = 20'000;

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

// A column by the name that a setting of the push has for it. PostgreSQL folds what is not quoted,
// so the case may differ.
const Column& column_named(const std::vector<Column>& columns, const std::string& name,
                           const std::string& setting) {
  const auto exact = std::find_if(columns.begin(), columns.end(),
                                  [&](const Column& column) { return column.name == name; });
  if (exact != columns.end()) return *exact;
  const auto similar = std::find_if(columns.begin(), columns.end(), [&](const Column& column) {
    return config::same_ignoring_case(column.name, name);
  });
  if (similar != columns.end()) return *similar;
  std::vector<std::string> names;
  for (const auto& column : columns)
    names.push_back(column.name);
  refuse("the query has no column \"" + name + "\", which " + setting + " names" +
         config::suggestion(name, names) + "; it has " + names_of(columns));
}

// Nobody knows which of two columns of one name is meant. SQLite numbers the later ones: "id:1".
void refuse_twins(const std::vector<Column>& columns) {
  std::set<std::string> names;
  for (const auto& column : columns) {
    const auto number = column.name.rfind(':');
    const bool numbered =
        number != std::string::npos && number + 1 < column.name.size() &&
        column.name.find_first_not_of("0123456789", number + 1) == std::string::npos;
    const std::string name = numbered ? column.name.substr(0, number) : column.name;
    if (names.insert(column.name).second && !(numbered && names.contains(name))) continue;
    refuse("the query has several columns named \"" + (numbered ? name : column.name) +
           "\": name each of them with AS");
  }
}

Windowed windowed_by(Dialect dialect, const SourceQuery& query,
                     const std::vector<Column>& columns) {
  Windowed source{
      query.push, query.query, column_named(columns, query.key, "push." + query.push + ".key"),
      column_named(columns, query.when, "push." + query.push + ".when"), query.time_zone};
  if (const auto why = unusable_when(dialect, source.when)) refuse(*why);
  if (const auto why = unusable_key(dialect, source.key)) refuse(*why);
  return source;
}

std::vector<mapping::Row> keyed(Result result) {
  std::vector<mapping::Row> rows;
  for (auto& cells : result.rows) {
    if (mapping::is_null(cells.back())) continue;  // a number that is equal to a key and no key
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

SourceQuery source_query(const config::Push& push, const std::string& zone) {
  return {push.name, push.query, push.key, push.when, zone, mapping::columns_of(push)};
}

bool Source::is_read(const Column& column) const {
  const auto names_it = [&](const std::string& name) {
    return config::same_ignoring_case(name, column.name);
  };
  return query_.reads.empty() || std::ranges::any_of(query_.reads, names_it);
}

const std::vector<Column>& Source::columns() {
  if (columns_.empty() || doubted_) {
    const Dialect dialect = crm_.dialect();
    refuse_pipes_for_or(crm_, query_.query);
    auto columns = crm_.query(shape_of_query(dialect, query_.query)).columns;
    refuse_twins(columns);
    const Windowed source = windowed_by(dialect, query_, columns);
    const auto numbers = numbers_for_dates(dialect, source);
    if (numbers && !crm_.query(*numbers).rows.empty()) {
      refuse(*unusable_when(dialect, {source.when.name, ColumnKind::integer}));
    }
    refuse_odd_keys(source);
    const auto type = type_of_key(dialect, source);
    const std::string named = type ? text_in(crm_.query(*type).rows.at(0).at(0)) : "";
    if (named == "money") refuse(money_as_key(source.key));
    const bool uuid = named == "uuid";
    const auto is_same = [](const Column& a, const Column& b) {
      return a.name == b.name && a.kind == b.kind;
    };
    if (uuid != uuid_key_ || !std::ranges::equal(columns, columns_, is_same)) {
      ++looks_;
      has_read_ = false;
      failing_.clear();
    }
    uuid_key_ = uuid;
    may_be_padded_ = source.key.padded && traits(dialect).pads_char_by_mode;
    columns_ = std::move(columns);
    doubted_ = false;
  }
  return columns_;
}

// Where the column's type does not tell what its cells hold.
void Source::refuse_odd_keys(const Windowed& source) {
  const auto odd = odd_keys(crm_.dialect(), source);
  if (!odd) return;
  const auto rows = crm_.query(*odd).rows;
  if (rows.empty()) return;
  const bool real = text_in(rows.front().at(0)) == "real";
  const Column key{source.key.name, real ? ColumnKind::real : ColumnKind::bytes};
  refuse(*unusable_key(crm_.dialect(), key));
}

Windowed Source::windowed() {
  Windowed source = windowed_by(crm_.dialect(), query_, columns());
  source.uuid_key = uuid_key_;
  for (const auto& column : columns_)
    source.cells.push_back({column.name, is_read(column), column.kind});
  return source;
}

// A statement may fail because the columns are no longer there: they are looked up again.
Result Source::query(const Statement& statement) {
  try {
    return crm_.query(statement);
  } catch (const DatabaseError& error) {
    if (error.kind == DatabaseError::Kind::other) doubted_ = true;
    throw;
  }
}

std::vector<mapping::Row> Source::rows_in(Result result) {
  std::vector<Column> found = result.columns;
  if (!found.empty()) found.pop_back();  // the key as text
  const Windowed source = windowed_by(crm_.dialect(), query_, columns_);
  if (same_columns(columns_, found, source)) return keyed(std::move(result));
  changed(names_of(found));
}

void Source::changed(const std::string& found) {
  const std::string before = names_of(columns_);
  columns_.clear();
  throw ColumnsChanged("push." + query_.push + ".query: its columns have changed from " + before +
                       " to " + found + "; no row was read by the old ones");
}

// The query is read in parts: rows that the ledger knows must not fill the memory.
std::vector<std::string> Source::undated(int limit) {
  const auto most = static_cast<std::size_t>(limit);
  std::vector<std::string> found;
  std::string after;
  for (bool end = false; !end && found.size() < most;) {
    auto keys =
        texts_in(crm_.query(undated_keys(crm_.dialect(), windowed(), after, kUndatedAtOnce)).rows);
    end = keys.size() < kUndatedAtOnce;
    if (!keys.empty()) after = keys.back();
    std::erase_if(keys, [](const std::string& key) { return !fits_as_key(key); });
    std::ranges::move(unknown(keys), std::back_inserter(found));
  }
  found.resize(std::min(found.size(), most));
  return found;
}

std::int64_t Source::count_undated() {
  return count_in(crm_.query(crm::count_undated(crm_.dialect(), windowed())));
}

std::int64_t Source::count_without_key(const Window& window) {
  const auto statement = count_keyless(crm_.dialect(), windowed(), window.since, window.until);
  return count_in(crm_.query(statement));
}

std::vector<Column> Source::columns_read() {
  auto read = columns();
  std::erase_if(read, [&](const Column& column) { return !is_read(column); });
  return read;
}

std::vector<std::string> Source::names_read() {
  std::vector<std::string> names;
  for (const auto& column : columns_read())
    names.push_back(column.name);
  return names;
}

Source::Cells Source::count_cells(const std::string& query, const Window& window, int most) {
  Windowed source = windowed();
  source.query = query;
  const auto row = crm_.query(crm::count_cells(crm_.dialect(), source, columns_read(), window.since,
                                               window.until, most))
                       .rows.at(0);
  Cells cells{integer_in(row.at(0))};
  for (std::size_t i = 1; i < row.size(); ++i)
    cells.filled.push_back(integer_in(row[i]));
  return cells;
}

std::optional<Instant> Source::latest_when(const Window& window) {
  const auto statement = crm::latest_when(crm_.dialect(), windowed(), window.since, window.until);
  Value when = crm_.query(statement).rows.at(0).at(0);
  if (const auto* text = std::get_if<std::string>(&when)) {
    const auto read = mapping::read_date(*text);
    when = read ? read->value : Value{mapping::Null{}};
  }
  if (const auto* local = std::get_if<mapping::LocalTime>(&when))
    return mapping::in_zone(*local, query_.time_zone);
  const auto* instant = std::get_if<Instant>(&when);
  return instant == nullptr ? std::nullopt : std::optional(*instant);
}

Source::Shared Source::shared_keys(const Window& window) {
  const auto statement = crm::shared_keys(crm_.dialect(), windowed(), window.since, window.until);
  const auto cells = crm_.query(statement).rows.at(0);
  return {integer_in(cells.at(0)), integer_in(cells.at(1)), integer_in(cells.at(2))};
}

std::int64_t count_all(Database& crm, const SourceQuery& query, Instant since, Instant until) {
  Source source(crm, query);
  const Windowed window = windowed_by(crm.dialect(), query, source.columns());
  return count_in(crm.query(count_keys(crm.dialect(), window, since, until)));
}

Source::Tally Source::tally(Instant since, Instant until) {
  if (is_apart() || has_erased_keys()) return tally_in_chunks({since, until});
  const Dialect dialect = crm_.dialect();
  const Windowed source = windowed();
  Tally tally{count_in(crm_.query(count_keys(dialect, source, since, until))), {}};
  for (const auto& row : crm_.query(count_states(dialect, source, since, until)).rows)
    tally.by_state[text_in(row.at(0))] = integer_in(row.at(1));
  return tally;
}

Source::Account Source::account(Instant start, Instant since, Instant until) {
  const Snapshot one_moment(crm_);
  Account account{tally(start, until)};
  account.waiting = count(since, until);
  account.too_old = count(start, since);
  return account;
}

}  // namespace surveybridge::crm
