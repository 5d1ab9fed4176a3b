// The statements of a write-back as text for a dialect. Pure. Only rows that would change are
// written, so that triggers and change feeds of the CRM are not called for nothing.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct WriteShape {
  struct Column {
    std::string name;
    std::string type;  // with arrays: its name there, for the cast
    bool is_instant = false;
    enum class Compared { as_it_is, by_letter, by_word } compared = Compared::as_it_is;
    std::string key = {};     // of the JSON object in the column, whose other members stay
    bool is_untyped = false;  // of SQLite: each cell has its own type
    std::string shown() const { return config::Write::shown_cell(name, key); }
  };
  std::string table;  // "orders" or "sales.orders"
  std::vector<Column> match, set;
  std::string primary_key = {};  // its one column; empty: the table has none, or one of several
};

// The record that a cell has its value of, and the date of the answer, else of the invitation.
struct CellWriter {
  std::string list, record;  // the record's key
  std::optional<Instant> dated = {};
  bool operator==(const CellWriter&) const = default;
};

// What a record comes to.
struct WriteRow {
  std::vector<Value> match, set;
  std::vector<std::size_t> left = {};  // positions in `set` that are not written, ascending
  std::string record = {};             // key of the record
  std::optional<Instant> dated = {};
  std::vector<std::size_t> nothing = {};  // positions that the record has no value for
  std::vector<CellWriter> writers = {};   // of each cell of `set`, once rows are joined
  bool operator==(const WriteRow&) const = default;
};

// A row of the CRM that was made for one of ours.
struct MadeRow {
  WriteRow row;
  std::string key;  // its primary key, as text
  bool operator==(const MadeRow&) const = default;
};

// The rows of one statement: any number where it takes arrays (PostgreSQL), otherwise one.
using RowsAtOnce = std::span<const WriteRow>;

// Each of our rows by its position, from 1: how many rows of the CRM it matches, and how many of
// those differ from it. A column without the JSON object that a key is of differs, and is not
// written.
Statement count_matches(Dialect dialect, const WriteShape& shape, RowsAtOnce rows);
// Writes those that differ. With arrays a query: our position for each row of the CRM that changed.
Statement update_rows(Dialect dialect, const WriteShape& shape, RowsAtOnce rows);
// The rows of the CRM that differ from ours, by our position, with the set columns as they are. Not
// where several of ours match one row: one of them counts there.
Statement differing_rows(Dialect dialect, const WriteShape& shape, RowsAtOnce rows);
// A new row.
Statement insert_row(Dialect dialect, const WriteShape& shape, const WriteRow& row);
// The same for no row, which needs the same right.
Statement insert_no_row(Dialect dialect, const WriteShape& shape);
// The primary keys of the rows that match, as text.
Statement keys_of_matches(Dialect dialect, const WriteShape& shape, const WriteRow& row);
// A row that was made, as long as it matches: all its columns; and without it.
Statement select_made(Dialect dialect, const WriteShape& shape, const MadeRow& made);
Statement delete_made(Dialect dialect, const WriteShape& shape, const MadeRow& made);

}  // namespace surveybridge::crm
