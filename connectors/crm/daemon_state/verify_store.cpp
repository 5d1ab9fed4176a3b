#include "connectors/crm/daemon_state/verify_store.hpp"

#include "connectors/crm/rows/row_struct.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {

void store_verify_result(Database& database, const Verified& result) {
  upsert_structs<Verified>(database, table_named("survey_verify").table, {result});
}

std::vector<Verified> verify_results(Database& database) {
  return query_structs<Verified>(
      database, R"(SELECT "push", "at", "eligible", "unaccounted",)"
                R"( "differences", "besides" FROM "survey_verify" ORDER BY "push")");
}

}  // namespace surveybridge::crm
