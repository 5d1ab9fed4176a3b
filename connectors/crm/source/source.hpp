// The rows of a push in the CRM that are not in the ledger. There is no high-water mark: a window
// is read again, without the keys of the ledger.
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
  std::string query;      // the operator's SELECT, without a trailing semicolon
  std::string key, when;  // its columns
  std::string time_zone;  // of a `when` without a zone
};

struct Rows {
  std::vector<Column> columns;
  std::vector<mapping::Row> rows;
  std::vector<std::string> duplicate_keys;  // keys that several different rows of this result have
  // Rows of the window without a key, or with one that is too long: never sent.
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

  // The query's columns, without reading rows. DatabaseError if the query fails, lacks key or when
  // (compared without case), or its `when` is neither a date nor a timestamp; in SQLite it may also
  // be a text, with or without an offset.
  const std::vector<Column>& columns();

  // All that reads rows throws ColumnsChanged where the result's columns are not those of
  // columns().

  // Up to `limit` rows whose `when` is at or after `since` and before `until` (in SQLite to the
  // millisecond), and whose key is not in the ledger; ordered by `when`, then key. Identical rows
  // with one key are one row; different rows with one key are in duplicate_keys and not in rows. A
  // local time that exists twice is in the window of either instant.
  Rows next(Instant since, Instant until, int limit);

  // The number of rows of [since, until) whose key is not in the ledger.
  std::int64_t count(Instant since, Instant until);

  // Keys of up to `limit` rows that have a place in no window, since their `when` is NULL, a zero
  // date, infinity or text that is no date, and that the ledger does not know.
  std::vector<std::string> undated(int limit);
  // How many such rows there are, whatever the ledger says.
  std::int64_t count_undated();
  // Keys of up to `limit` rows of [since, until) that the ledger has quarantined with kUndated:
  // their date can be read now.
  std::vector<std::string> dated_again(Instant since, Instant until, int limit);

  // The states in the ledger of the keys of [since, until), for `verify`.
  struct Tally {
    std::int64_t keys = 0;
    std::map<std::string, std::int64_t> by_state;  // of the keys that are in the ledger
  };
  Tally tally(Instant since, Instant until);

  // Up to `limit` rows whose key is pending and not delayed, whatever their `when`. `gone`: pending
  // keys that the query no longer returns.
  struct Pending {
    Rows rows;
    std::vector<std::string> gone;
  };
  Pending pending(int limit);

  // Rows by key, whatever their state (explain, verify). Ordered within every 500 keys.
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
