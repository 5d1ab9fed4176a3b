#include "connectors/crm/daemon_state/few_store.hpp"

#include "connectors/crm/rows/row_struct.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {

void store_few(Database& database, const FewRows& seen) {
  upsert_structs<FewRows>(database, table_named("survey_few").table, {seen});
}

FewRows few_of(Database& database, const std::string& push) {
  return query_struct<FewRows>(database,
                               R"(SELECT "push", "columns", "columns_before", "changed_at",)"
                               R"( "look", "looked_at" FROM "survey_few" WHERE "push" = {key})",
                               {push})
      .value_or(FewRows{push, "", "", {}, "", {}});
}

}  // namespace surveybridge::crm
