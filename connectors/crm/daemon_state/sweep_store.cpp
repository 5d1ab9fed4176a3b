#include "connectors/crm/daemon_state/sweep_store.hpp"

#include "connectors/crm/rows/row_struct.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {

void store_sweep(Database& database, const Swept& swept) {
  upsert_structs<Swept>(database, table_named("survey_sweep").table, {swept});
}

std::optional<Instant> last_sweep(Database& database, const std::string& push) {
  const auto found =
      query_rows(database, R"(SELECT "began_at" FROM "survey_sweep" WHERE "push" = {key})", {push});
  return found.empty() ? std::nullopt : instant_in(found.front().front());
}

std::vector<Swept> sweeps(Database& database) {
  return query_structs<Swept>(database, R"(SELECT "push", "began_at", "ended_at", "rows", "within")"
                                        R"( FROM "survey_sweep" ORDER BY "push")");
}

}  // namespace surveybridge::crm
