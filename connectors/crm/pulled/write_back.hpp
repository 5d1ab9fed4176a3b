// Values written into a table of the CRM ([[pull.LIST.write]]): paths into a record and their
// columns, checked against the real table. Never writes a table or column that the operator has not
// named.
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
  std::vector<Cell> match, set;  // in the order of the shape's
  std::string time_zone;
};

// The write, or every problem with it. Runs its statement once without a matching row and rolls
// back, which finds what only the database can tell: a missing privilege, a type without equality.
std::variant<CompiledWrite, std::vector<config::Problem>> compile(Database& database,
                                                                  const mapping::Resource& root,
                                                                  const config::Write& write,
                                                                  const std::string& time_zone);

// The values that one record gives.
struct WriteRow {
  std::vector<Value> match, set;
  bool operator==(const WriteRow&) const = default;
};
struct WriteRows {
  std::vector<WriteRow> rows;     // each match once: of two records the later counts
  std::int64_t matched_none = 0;  // a match value is absent or does not fit its column
  std::int64_t unfit = 0;         // a set value does not fit its column
};
WriteRows rows_for(const CompiledWrite& write, const std::vector<mapping::Record>& records);

// The rows that these records can have written, each once, with NULL for every column set.
std::vector<WriteRow> rows_to_empty(const CompiledWrite& write,
                                    const std::vector<mapping::Record>& records);

struct Written {
  std::int64_t changed = 0, matched_none = 0, matched_many = 0;
};
// Within the caller's transaction.
Written write_back(Database& database, const CompiledWrite& write,
                   const std::vector<WriteRow>& rows);
// The same, one row after another, as refused_rows() tries them.
Written write_singly(Database& database, const CompiledWrite& write,
                     const std::vector<WriteRow>& rows);

// The rows that the database refuses (a number too large, a check violated), found by trying them
// in transactions that are rolled back. Throws the database's error if the statement itself is at
// fault: then no row may be left out.
std::vector<WriteRow> refused_rows(Database& database, const CompiledWrite& write,
                                   const std::vector<WriteRow>& rows);

}  // namespace surveybridge::crm
