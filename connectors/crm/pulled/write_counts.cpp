#include "connectors/crm/pulled/write_counts.hpp"

#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"

namespace surveybridge::crm {

void add_write_count(Database& database, const WriteCount& more) {
  if (more == WriteCount{more.list, more.table}) return;
  const std::vector<Value> values = {more.written, more.matched_none, more.matched_many,
                                     more.unfit,   more.list,         more.table};
  const auto changed =
      run_statement(database,
                    R"(UPDATE "survey_write" SET "written" = "written" + {integer},)"
                    R"( "matched_none" = "matched_none" + {integer},)"
                    R"( "matched_many" = "matched_many" + {integer},)"
                    R"( "unfit" = "unfit" + {integer} WHERE "list" = {key})"
                    R"( AND "target" = {key})",
                    values);
  if (changed > 0) return;
  run_statement(database,
                R"(INSERT INTO "survey_write" ("written", "matched_none",)"
                R"( "matched_many", "unfit", "list", "target") VALUES ({integer},)"
                R"( {integer}, {integer}, {integer}, {key}, {key}))",
                values);
}

std::vector<WriteCount> write_counts(Database& database) {
  std::vector<WriteCount> all;
  const auto found = query_rows(
      database, R"(SELECT "list", "target", "written", "matched_none", "matched_many", "unfit")"
                R"( FROM "survey_write" ORDER BY "list", "target")");
  for (const auto& row : found) {
    all.push_back({text_in(row.at(0)), text_in(row.at(1)), integer_in(row.at(2)),
                   integer_in(row.at(3)), integer_in(row.at(4)), integer_in(row.at(5))});
  }
  return all;
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
