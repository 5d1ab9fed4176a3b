// What became of write-backs so far, by list and table (table survey_write): how many rows changed,
// and how many records met no row, several, or a column that cannot hold them. For `status`.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct WriteCount {
  std::string list, table;
  std::int64_t written = 0, matched_none = 0, matched_many = 0, unfit = 0;
  bool operator==(const WriteCount&) const = default;
};

// Adds to what is counted. Within the caller's transaction: counted is what is stored.
void add_write_count(Database& database, const WriteCount& more);
// By list, then table.
std::vector<WriteCount> write_counts(Database& database);

}  // namespace surveybridge::crm
