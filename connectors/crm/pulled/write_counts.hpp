// Counts of write-backs by list and table (table survey_write): changed rows, and records that
// matched no row, several, or do not fit a column. For `status`.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct WriteCount {
  std::string list, table;
  std::int64_t written = 0, matched_none = 0, matched_many = 0, unfit = 0;
  static auto cells(auto& of) {
    return std::tie(of.list, of.table, of.written, of.matched_none, of.matched_many, of.unfit);
  }
  bool operator==(const WriteCount&) const = default;
};

// Adds to the counts, within the caller's transaction: only stored changes are counted.
void add_write_count(Database& database, const WriteCount& more);
// By list, then table.
std::vector<WriteCount> write_counts(Database& database);

// Write-backs of a list that met no row of the CRM and are tried again (table survey_unmatched).
struct WaitingWrites {
  std::string list;
  std::int64_t records = 0;
  Instant since;  // the first try of the one that waits longest
};
// By list; none without one that waits.
std::vector<WaitingWrites> waiting_writes(Database& database);

}  // namespace surveybridge::crm
