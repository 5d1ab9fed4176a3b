// The SQL around an operator's query: its window, its rows by key. Pure text with
// parameters, for each dialect. The window is a plain condition on the query's own column (the
// parameter is cast, not the column), so that an index on that column serves it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// What a window is read from: the query, and its two columns by their exact names.
struct Windowed {
  std::string push;
  std::string query;
  Column key, when;
  std::string time_zone;  // of a `when` without a zone
  bool uuid_key = false;  // the key has a type of its own for UUIDs
  // The query's columns in their order, for whole rows: one that is not read is null there. None:
  // all are read.
  struct Cell {
    std::string column;
    bool read = true;
    ColumnKind kind = ColumnKind::other;
  };
  std::vector<Cell> cells = {};
};

// The query as a table: without blanks and semicolons at its end.
std::string without_end(std::string query);

// No rows, only columns.
Statement shape_of_query(Dialect dialect, const std::string& query);

// All rows, and of them these columns only. `begins`: of texts and bytes the beginning of each
// cell, of one character or byte more than kCellBegin at most.
inline constexpr std::size_t kCellBegin = 100'000;
Statement some_columns(Dialect dialect, const std::string& query,
                       const std::vector<Column>& columns, bool begins);

// Why this `when` cannot bound a window; empty: it can.
std::optional<std::string> unusable_when(Dialect dialect, const Column& when);

// Where a sweep over a window stands.
struct Position {
  // Rows before this `when` have been read; null: none. In SQLite the text of the cell.
  Value when = mapping::Null{};
  // Set while rows of exactly this `when` are read in the order of their keys, because one
  // statement does not take all of them. Keys up to this one have been read.
  std::optional<std::string> key = std::nullopt;
};

// Up to `limit` rows of [since, until) from a position on: the key as text, null where the row has
// none, and the `when`; ordered by `when`, or by the key where the position has one. Rows without
// a date are left out, and rows without a key where the position has one.
Statement window_keys(Dialect dialect, const Windowed& source, Instant since, Instant until,
                      const Position& from, int limit);
// How many rows of [since, until), or of exactly this `when`, have no key, or one that the ledger
// cannot store.
Statement count_keyless(Dialect dialect, const Windowed& source, Instant since, Instant until,
                        const std::optional<Value>& when = std::nullopt);
// Up to `most` rows of [since, until): how many they are, and in how many of them each of these
// columns is not null.
Statement count_cells(Dialect dialect, const Windowed& source, const std::vector<Column>& columns,
                      Instant since, Instant until, int most);
// The latest `when` of [since, until); in SQLite the text of the cell.
Statement latest_when(Dialect dialect, const Windowed& source, Instant since, Instant until);
// How many keys of [since, until) have several `when`s, how many of them all, and of one at most.
Statement shared_keys(Dialect dialect, const Windowed& source, Instant since, Instant until);
// The position behind all rows of this `when`.
Position behind(Dialect dialect, const Windowed& source, const Value& when);

// The keys of [since, until), each once: how many, and those that the ledger knows by their state.
Statement count_keys(Dialect dialect, const Windowed& source, Instant since, Instant until);
Statement count_states(Dialect dialect, const Windowed& source, Instant since, Instant until);
// Keys of up to `limit` rows whose `when` has a place in no window, each once, in the order of keys
// behind `after` (empty: from the first one on).
Statement undated_keys(Dialect dialect, const Windowed& source, const std::string& after,
                       int limit);
// How many rows have such a `when`, whatever the ledger says.
Statement count_undated(Dialect dialect, const Windowed& source);
// Has the key the type "uuid"? Its name is the only cell. Empty where no type is called so.
std::optional<Statement> type_of_key(Dialect dialect, const Windowed& source);
// The type of a key that is a float or bytes, one row. Empty where the column's type tells.
std::optional<Statement> odd_keys(Dialect dialect, const Windowed& source);
// Is there a number where a date should be? Empty where the column's type already rules that out.
std::optional<Statement> numbers_for_dates(Dialect dialect, const Windowed& source);

// Keys that are pending and need not wait any longer, the longest waiting first.
Statement pending_keys(Dialect dialect, const std::string& push, Instant now, int limit);
// Up to `limit` rows of these keys: the query's columns, then the key as text; ordered by `when`,
// then key. Perhaps a few more, of keys that the CRM's collation takes for the same.
Statement rows_by_key(Dialect dialect, const Windowed& source, const std::vector<std::string>& keys,
                      int limit);
// The same, of rows of [since, until) only.
Statement rows_by_key_within(Dialect dialect, const Windowed& source,
                             const std::vector<std::string>& keys, Instant since, Instant until,
                             int limit);

// What the ledger tells of a key besides that it knows it.
enum class LedgerCell {
  none,
  // Of a row that is set aside: its reason where the query did not find it (kUndated, kGone), else
  // its digest; empty: it has none.
  set_aside,
  state,
};
// Finds a row where one of these keys has a cell of more than kCellBytesMax among those that are
// read. Empty: no column can hold one.
std::optional<Statement> large_cells(Dialect dialect, const Windowed& source,
                                     const std::vector<std::string>& keys);
// Those of `count` keys that the ledger knows, with that cell as the second one. Parameters: the
// keys (key_chunks), then the push.
std::string known_keys(Dialect dialect, std::size_t count, LedgerCell cell);

}  // namespace surveybridge::crm
