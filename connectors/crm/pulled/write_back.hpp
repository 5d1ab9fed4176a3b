// An answer back into a table of the CRM's own ([[pull.LIST.write]]): paths into a record and the
// columns they go to, checked against the table as it really is. Never a table or column that the
// operator has not named.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/pulled/write_back_sql.hpp"
#include "mapping/interface/path.hpp"

namespace surveybridge::crm {

struct CompiledWrite {
  struct Cell {
    mapping::Path path;
    ColumnKind kind;
  };
  WriteShape shape;
  std::vector<Cell> match, set;  // parallel to the shape's
  std::string time_zone;
};

// The write, or every problem with it. Runs its statement once for no row and rolls back, which
// finds what only the database knows: a privilege that is missing, a type without equality.
std::variant<CompiledWrite, std::vector<config::Problem>> compile(Database& database,
                                                                  const mapping::Resource& root,
                                                                  const config::Write& write,
                                                                  const std::string& time_zone);

// What a record comes to.
struct WriteRow {
  std::vector<Value> match, set;
  bool operator==(const WriteRow&) const = default;
};
struct WriteRows {
  std::vector<WriteRow> rows;     // each match once: of two records the later counts
  std::int64_t matched_none = 0;  // a match value that is absent or cannot be in its column
  std::int64_t unfit = 0;         // a set value that cannot be in its column
};
WriteRows rows_for(const CompiledWrite& write, const std::vector<mapping::Record>& records);

// The rows that these records can have written to, each once, with NULL for every column set.
std::vector<WriteRow> rows_to_empty(const CompiledWrite& write,
                                    const std::vector<mapping::Record>& records);

struct Written {
  std::int64_t changed = 0, matched_none = 0, matched_many = 0;
};
// Within the caller's transaction.
Written write_back(Database& database, const CompiledWrite& write,
                   const std::vector<WriteRow>& rows);
// The same, each row after the other, as refused_rows() tries them.
Written write_singly(Database& database, const CompiledWrite& write,
                     const std::vector<WriteRow>& rows);

// Which rows the database refuses (a number too large, a check violated), found by trying them in
// transactions that are rolled back. Throws what the database says where the statement itself is at
// fault: then nothing may be left out.
std::vector<WriteRow> refused_rows(Database& database, const CompiledWrite& write,
                                   const std::vector<WriteRow>& rows);

}  // namespace surveybridge::crm
