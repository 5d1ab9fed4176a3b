// A push's rows in the CRM that the ledger does not know yet. Never trusts a high-water mark:
// looks back over a window and subtracts the ledger.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "mapping/field_map/mapper.hpp"

namespace surveybridge::crm {

struct SourceQuery {
  std::string push;
  std::string query;      // the operator's SELECT, without trailing semicolon
  std::string key, when;  // its columns
  std::string time_zone;  // of a `when` without a zone
};

struct Rows {
  std::vector<Column> columns;
  std::vector<mapping::Row> rows;
  std::vector<std::string> duplicate_keys;  // in this answer more than once with other content
  // Rows of the window without a key, or with one that is too long to be kept: never sent.
  std::int64_t without_key = 0;
};

// The query's result has other columns than before: a view was made anew, or a table altered. The
// rows are not handed out, since whoever asked would read them by the old columns; columns() tells
// the new ones from now on.
struct ColumnsChanged : DatabaseError {
  explicit ColumnsChanged(const std::string& what) : DatabaseError(Kind::busy, what) {}
};

// How the ledger's reason begins for a row whose `when` is no date.
inline constexpr std::string_view kUndated = "when: no date";

class Source {
 public:
  Source(Database& database, SourceQuery query) : database_(database), query_(std::move(query)) {}

  // The query's columns, without reading rows. DatabaseError when the query fails, lacks key or
  // when (found without regard to case), or its `when` is neither a date nor a timestamp; in SQLite
  // also a text, with or without an offset.
  const std::vector<Column>& columns();

  // All that reads rows throws ColumnsChanged where the result's columns are not those of
  // columns().

  // Up to `limit` rows whose `when` is at or after `since` and before `until` (in SQLite to the
  // millisecond), and whose key is not in the ledger; ordered by `when`, then key. Identical twins
  // are one row; twins that differ are in duplicate_keys and not in rows. A wall clock that a zone
  // shows twice lies in the window of either of its instants.
  Rows next(Instant since, Instant until, int limit);

  // How many rows of [since, until) have a key that the ledger does not know.
  std::int64_t count(Instant since, Instant until);

  // Keys of up to `limit` rows that have a place in no window, since their `when` is NULL, a zero
  // date, infinity or text that is no date, and that the ledger does not know.
  std::vector<std::string> undated(int limit);
  // How many such rows there are, whatever the ledger says.
  std::int64_t count_undated();
  // Keys of up to `limit` rows of [since, until) that the ledger has quarantined with kUndated:
  // their date can be read now.
  std::vector<std::string> dated_again(Instant since, Instant until, int limit);

  // What the ledger says of the keys of [since, until), for `verify`.
  struct Tally {
    std::int64_t keys = 0;
    std::map<std::string, std::int64_t> by_state;  // of those that it knows
  };
  Tally tally(Instant since, Instant until);

  // Up to `limit` rows whose key is pending in the ledger and not delayed, whatever their `when`.
  // `gone`: pending keys that the query no longer returns.
  struct Pending {
    Rows rows;
    std::vector<std::string> gone;
  };
  Pending pending(int limit);

  // Rows by key, whatever the ledger says (explain, verify). Ordered within every 500 keys.
  Rows by_key(const std::vector<std::string>& keys);

 private:
  Result query(const Statement& statement);
  std::vector<mapping::Row> read(const Statement& statement);
  std::vector<std::string> keys_of(const Statement& statement);

  Database& database_;
  SourceQuery query_;
  std::vector<Column> columns_;
};

}  // namespace surveybridge::crm
