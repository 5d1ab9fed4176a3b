#include "connectors/crm/pulled/write_counts.hpp"

#include "connectors/crm/rows/row_struct.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {

void add_write_count(Database& database, const WriteCount& more) {
  if (more == WriteCount{more.list, more.table}) return;
  add_to_row(
      database, table_named("survey_write").table,
      {more.list, more.table, more.written, more.matched_none, more.matched_many, more.unfit});
}

std::vector<WriteCount> write_counts(Database& database) {
  return query_structs<WriteCount>(
      database, R"(SELECT "list", "target", "written", "matched_none", "matched_many", "unfit")"
                R"( FROM "survey_write" ORDER BY "list", "target")");
}

std::vector<WaitingWrites> waiting_writes(Database& database) {
  std::vector<WaitingWrites> all;
  const auto found =
      query_rows(database, R"(SELECT "list", COUNT(*), MIN(COALESCE("since", "tried_at")))"
                           R"( FROM "survey_unmatched" GROUP BY "list" ORDER BY "list")");
  for (const auto& row : found) {
    if (const auto since = instant_in(row.at(2)))
      all.push_back({text_in(row.at(0)), integer_in(row.at(1)), *since});
  }
  return all;
}

}  // namespace surveybridge::crm
