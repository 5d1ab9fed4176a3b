// Values written into a table of the CRM ([[pull.LIST.write]]): paths into a record and their
// columns, checked against the real table. Never writes a table or column that the operator has not
// named.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/pulled/conditions.hpp"
#include "connectors/crm/pulled/unwritten.hpp"
#include "connectors/crm/pulled/write_back_sql.hpp"
#include "mapping/interface/path.hpp"
#include "mapping/values/date_pattern.hpp"

namespace surveybridge::crm {

struct CompiledWrite {
  struct Cell {
    std::optional<mapping::Path> path;  // none: `constant`
    ColumnKind kind;
    Value constant = {};
    std::vector<std::pair<std::string, Value>> meanings = {};  // by text; empty: no map
    std::optional<Value> otherwise = {};
    std::optional<mapping::DatePattern> date = {};
    bool one_way = false;
    bool takes_null = true;
    std::optional<int> max_length = {};  // characters
    std::string words = {};              // as CatalogColumn has them
  };
  WriteShape shape;
  std::vector<Cell> match, set;  // in the order of the shape's
  std::string time_zone;
  std::string push, correlate;  // as config::Write has them
  config::Write::Feedback feedback = config::Write::Feedback::original;
  std::vector<Condition> when;
  bool insert = false;
  bool forgets = false;  // `forget` empties what it has written
  bool deletes = false;  // and removes the rows that it has made
  // Columns that a new row needs a value in, and that the write does not name.
  std::vector<std::string> needed = {};
  std::vector<std::string> remarks = {};  // what a column cannot hold of what it may get
  std::string mark;                       // what the configuration of the write hashes to
};

// The write, or every problem with it. Runs its statement once without a matching row and rolls
// back, which finds what only the database can tell: a missing privilege, a type without equality.
std::variant<CompiledWrite, std::vector<config::Problem>> compile(Database& database,
                                                                  const mapping::Resource& root,
                                                                  const config::Write& write,
                                                                  const std::string& time_zone);

// The end of a sentence with the GRANT of all that the write needs; empty: it is not a right that
// is missing.
std::string grant_for(Database& database, const CompiledWrite& write, const ErrorCode& code);

// Those of these records that are of transactions of the write's push; all, where it has none.
std::vector<mapping::Record> records_of_push(Database& database, const CompiledWrite& write,
                                             std::vector<mapping::Record> records);

// What records come to.
struct WriteRows {
  std::vector<WriteRow> rows;        // one for each record
  std::int64_t matched_none = 0;     // a match value that is absent or cannot be in its column
  std::vector<Unwritten> unwritten;  // set values that cannot be in their columns
};
WriteRows rows_for(const CompiledWrite& write, const std::vector<mapping::Record>& records);

// The rows that these records can have written, each once, with NULL for every column set.
std::vector<WriteRow> rows_to_empty(const CompiledWrite& write,
                                    const std::vector<mapping::Record>& records);

struct Written {
  std::int64_t changed = 0, matched_none = 0, matched_many = 0;
  std::vector<WriteRow> unmatched = {};  // rows that met none, and for which none was made
  std::vector<Unwritten> missing = {};   // cells that are not there afterwards
  std::vector<MadeRow> made = {};        // those of the new rows that can be known again
};
// Within the caller's transaction.
Written write_back(Database& database, const CompiledWrite& write,
                   const std::vector<WriteRow>& rows);
// The same, one row after another, as refused_rows() tries them.
Written write_singly(Database& database, const CompiledWrite& write,
                     const std::vector<WriteRow>& rows);
// The rows of the CRM that write_back() would change, where each row of ours has all cells: our
// `match`, and in `set` what stands there now.
std::vector<WriteRow> rows_to_change(Database& database, const CompiledWrite& write,
                                     const std::vector<WriteRow>& rows);

// Removes rows that were made for the write, within the caller's transaction. How many were there.
std::int64_t remove_made(Database& database, const CompiledWrite& write,
                         const std::vector<MadeRow>& made);

// The write without the cells at these positions of `set`, and a row of it.
CompiledWrite without_cells(const CompiledWrite& write, const std::vector<std::size_t>& left);

// May a row be at fault: a value that the column does not take, or that is too large?
bool about_a_row(const DatabaseError& error);

// Which rows the database refuses (a number too large, a check violated), found by trying them in
// transactions that are rolled back. Throws what the database says where the statement itself is at
// fault: then nothing may be left out.
struct RefusedRow {
  WriteRow row;
  ErrorCode code;
};
std::vector<RefusedRow> refused_rows(Database& database, const CompiledWrite& write,
                                     const std::vector<WriteRow>& rows);

// What is left out of such a row so that the rest can be written, and why. Nothing of it is written
// where a match column cannot hold the value to look for, or a new row may not have it: then the
// match columns have the reason.
struct Refusal {
  std::vector<Value> match;
  std::vector<std::size_t> cells;                            // positions in `set`, ascending
  std::vector<std::pair<std::string, std::string>> because;  // column and reason
};
Refusal refusal_of(Database& database, const CompiledWrite& write, const RefusedRow& refused);
// Nothing of it is written.
Refusal whole_refusal(const CompiledWrite& write, const RefusedRow& refused);

}  // namespace surveybridge::crm
