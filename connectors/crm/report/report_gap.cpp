#include "connectors/crm/report/report_gap.hpp"

#include "connectors/crm/dialect/sql.hpp"

namespace surveybridge::crm {
namespace {

// No list of a configuration has this name.
const std::string kList = "(reports)";

std::vector<Value> names(const mapping::Resource& root) {
  return {kList, std::string(root.table)};
}

}  // namespace

void note_gap(Database& database, const mapping::Resource& root) {
  if (has_gap(database, root)) return;
  database.execute({in_dialect(database.dialect(),
                               R"(INSERT INTO "survey_cursor" ("list", "walk", "cursor", "pages",)"
                               R"( "restarts") VALUES ({key}, {key}, '', 0, 0))"),
                    names(root)});
}

bool has_gap(Database& database, const mapping::Resource& root) {
  return !database
              .query({in_dialect(database.dialect(),
                                 R"(SELECT "walk" FROM "survey_cursor" WHERE "list" = {key})"
                                 R"( AND "walk" = {key})"),
                      names(root)})
              .rows.empty();
}

void close_gap(Database& database, const mapping::Resource& root) {
  database.execute({in_dialect(database.dialect(), R"(DELETE FROM "survey_cursor" WHERE "list" =)"
                                                   R"( {key} AND "walk" = {key})"),
                    names(root)});
}

}  // namespace surveybridge::crm
