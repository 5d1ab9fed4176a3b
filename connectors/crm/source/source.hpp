// The rows of a push in the CRM that are not in the ledger. There is no high-water mark: a window
// is read again and again, chunk by chunk, and the keys that the ledger knows are left out.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/source/source_sql.hpp"
#include "mapping/field_map/mapper.hpp"

namespace surveybridge::crm {

struct SourceQuery {
  std::string push;
  std::string query;      // the operator's SELECT, without a trailing semicolon
  std::string key, when;  // its columns
  std::string time_zone;  // of a `when` without a zone
  // The columns that are read besides, without case; empty: all of them.
  std::vector<std::string> reads = {};
};
// Of a push: what it maps is read. `zone`: of the CRM.
SourceQuery source_query(const config::Push& push, const std::string& zone);

struct Rows {
  std::vector<Column> columns;  // those of the query; cells of a column that is not read are null
  std::vector<mapping::Row> rows;
  std::vector<std::string> duplicate_keys;  // keys that several different rows have
  struct Unreadable {
    std::string key, reason;
  };
  // Rows with a cell that is too large, or that the database fails to make.
  std::vector<Unreadable> unreadable = {};
  bool empty() const { return rows.empty() && duplicate_keys.empty() && unreadable.empty(); }
};

// [since, until). In SQLite to the millisecond. A local time that exists twice is in the window of
// either instant.
struct Window {
  Instant since, until;
};

// What one step of a sweep over a window has found.
struct Chunk {
  std::vector<std::string> keys;  // not in the ledger; ordered by `when`, then key; each once
  std::int64_t rows = 0;          // that were read
  std::int64_t unknown = 0;       // of them: rows of `keys`
  // Of them: without a key, or with one that is too long. They are never sent.
  std::int64_t without_key = 0;
  // Of them: rows whose key another row of the chunk has, with another `when`.
  std::int64_t sharing = 0;
  // Keys that the ledger has quarantined because the query did not find them (kUndated, kGone).
  std::vector<std::string> found_again;
  // Keys that the ledger has set aside with a digest: their rows may have changed.
  std::vector<std::string> mendable;
  Position next;     // where the sweep goes on
  bool end = false;  // the window has no more rows
};

// The query's result has other columns than before: a view was made anew, or a table altered. The
// rows are not handed out, since whoever asked would read them by the old columns; columns() tells
// the new ones from now on.
struct ColumnsChanged : DatabaseError {
  explicit ColumnsChanged(const std::string& what) : DatabaseError(Kind::busy, what) {}
};

// How the ledger's reason begins for a row whose `when` is no date.
inline constexpr std::string_view kUndated = "when: no date";
inline constexpr std::string_view kGone = "the query no longer returns this transaction";
// Of a row that waited while `start` was raised.
inline constexpr std::string_view kBeforeStart = "from before start: nothing older is sent";
// The query of a push is another one now. What it finds of the rows that are quarantined for those
// reasons may be old: they stay quarantined until a person retries them.
void keep_set_aside(Database& store, const std::string& push);

class Source {
 public:
  // The query reads the CRM's database; the ledger lies in the store, which may be the same
  // database (then the same object). No statement needs both unless they are the same.
  Source(Database& crm, Database& store, SourceQuery query)
      : crm_(crm), store_(store), query_(std::move(query)) {}
  Source(Database& database, SourceQuery query) : Source(database, database, std::move(query)) {}

  // The query's columns, without reading rows. DatabaseError if the query fails, lacks key or when
  // (compared without case), or its `when` is neither a date nor a timestamp; in SQLite it may also
  // be a text, with or without an offset.
  const std::vector<Column>& columns();
  // How often they were others than before. A Position is good as long as it stays.
  int looks() const { return looks_; }

  // All that reads rows throws ColumnsChanged where the result's columns are not those of
  // columns().

  // Reads up to `limit` rows (1 to 100,000) of a window from a position on: only their keys and
  // `when`s, and looks them up in the ledger. A sweep that begins at Position{} and goes on at each
  // `next` until `end` meets every row that is there all the time. An index of the CRM on `when`
  // makes a chunk cost what its rows cost. `again`: fills found_again and mendable.
  Chunk chunk(const Window& window, const Position& from, int limit, bool again = false);

  // Whole rows by key, in the order of `keys`; with a window only rows of it. Reads as many as
  // weigh about `bytes`, at least one: the first `keys` of those asked for. Identical rows with one
  // key are one row; different rows with one key are in duplicate_keys and not in rows. Of a row
  // that cannot be read alone, while others can, only the key is there, in `unreadable`. Throws
  // where several rows of windows cannot, and none was ever read.
  struct Whole {
    Rows rows;
    std::size_t keys = 0;
  };
  Whole whole_rows(const std::vector<std::string>& keys, const std::optional<Window>& window,
                   std::size_t bytes);

  // Those of `keys` that are not in the ledger, in their order.
  std::vector<std::string> unknown(const std::vector<std::string>& keys);

  // Up to `limit` rows of [since, until) that are not in the ledger, ordered by `when`, then key;
  // as many as weigh about `bytes`.
  Rows next(Instant since, Instant until, int limit, std::size_t bytes = SIZE_MAX);
  // The number of keys of [since, until) that are not in the ledger. A key of several rows counts
  // once, unless they are thousands of rows apart.
  std::int64_t count(Instant since, Instant until);
  // The same from a position on.
  std::int64_t count_from(const Window& window, Position from);

  // Keys of up to `limit` rows that have a place in no window, since their `when` is NULL, a zero
  // date, infinity or text that is no date, and that the ledger does not know.
  std::vector<std::string> undated(int limit);
  // How many such rows there are, whatever the ledger says.
  std::int64_t count_undated();

  // How many rows of a window have no key, or one that the ledger cannot store: no other call tells
  // of them.
  std::int64_t count_without_key(const Window& window);

  // Of up to `most` rows of a window, of the query or of another one with the same columns: how
  // many there are, and in how many of them each column that is read is not null, in their order.
  struct Cells {
    std::int64_t rows = 0;
    std::vector<std::int64_t> filled = {};
  };
  Cells count_cells(const std::string& query, const Window& window, int most);
  // The names of the columns that are read.
  std::vector<std::string> names_read();
  // The latest `when` of a window; empty: it has no row, or none with a date.
  std::optional<Instant> latest_when(const Window& window);

  // Keys of a window that several rows with different `when`s have: the query makes one transaction
  // of many.
  struct Shared {
    std::int64_t keys = 0;
    std::int64_t dates = 0;  // different ones of all these keys
    std::int64_t most = 0;   // of one key
  };
  Shared shared_keys(const Window& window);

  // The states in the ledger of the keys of [since, until), for `verify`.
  struct Tally {
    std::int64_t keys = 0;
    std::map<std::string, std::int64_t> by_state;  // of the keys that are in the ledger
  };
  Tally tally(Instant since, Instant until);

  // All of it at one moment, whatever others change meanwhile: the tally of [start, until), and how
  // many rows the ledger does not know, of [since, until) and of what is older. Where the ledger
  // lies in another database it is read after the CRM: a row is never missing there because it was
  // claimed meanwhile.
  struct Account {
    Tally tally;
    std::int64_t waiting = 0, too_old = 0;
  };
  Account account(Instant start, Instant since, Instant until);

  // Rows whose key is pending and not delayed, whatever their `when`: of up to `limit` keys as many
  // as weigh about `bytes`. `gone`: pending keys that the query no longer returns.
  struct Pending {
    Rows rows;
    std::vector<std::string> gone;
    std::size_t looked_at = 0;  // keys
    bool more = false;          // others may wait behind them
  };
  Pending pending(int limit, std::size_t bytes = SIZE_MAX);

  // Rows by key, whatever their state (explain, verify).
  Rows by_key(const std::vector<std::string>& keys);

 private:
  // Keys that are in the ledger, with what it tells of them.
  using Known = std::map<std::string, std::string>;

  Windowed windowed();
  void refuse_odd_keys(const Windowed& source);
  Result query(const Statement& statement);
  std::vector<mapping::Row> rows_in(Result result);
  bool is_read(const Column& column) const;
  std::vector<Column> columns_read();
  std::vector<mapping::Row> read_keys(const std::vector<std::string>& keys,
                                      const std::optional<Window>& window,
                                      std::vector<Rows::Unreadable>& unreadable);
  std::optional<Result> query_unless_unreadable(const std::vector<std::string>& keys,
                                                const std::optional<Window>& window, int limit,
                                                std::string& why);
  void refuse_failing(const std::vector<Rows::Unreadable>& rows);
  Known known(const std::vector<std::string>& keys, LedgerCell cell);
  Known stored(const std::vector<Value>& names, LedgerCell cell);
  bool is_due(const std::string& name);
  bool has_erased_keys();
  bool has_keys_like(const std::string& pattern);
  void refuse_padded_ledger();
  Chunk read_keys(const Window& window, const Position& from, int limit,
                  std::vector<std::string>& keys);
  void look_up(const std::vector<std::string>& keys, bool again, Chunk& chunk);
  std::int64_t keyless_at(const Window& window, const Value& when);
  [[noreturn]] void changed(const std::string& found);

  bool is_apart() const { return &crm_ != &store_; }
  Tally tally_in_chunks(const Window& window);

  Database& crm_;
  Database& store_;
  SourceQuery query_;
  std::vector<Column> columns_;
  bool uuid_key_ = false, may_be_padded_ = false;
  bool doubted_ = false;           // a statement has failed: the columns may be others now
  bool has_read_ = false;          // a row, by these columns
  std::set<std::string> failing_;  // keys of new rows that failed while none was read
  int looks_ = 0;
  std::size_t row_bytes_ = 0;  // what a row weighs on average, as read last; 0: unknown
};

// How many keys the query returns of [since, until), each once; nothing of the bridge need be
// there. Throws DatabaseError.
std::int64_t count_all(Database& crm, const SourceQuery& query, Instant since, Instant until);

}  // namespace surveybridge::crm
