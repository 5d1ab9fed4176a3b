#include "connectors/crm/daemon_state/sweep_store.hpp"

#include "connectors/crm/rows/row_struct.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {

namespace {
constexpr std::int64_t kOnlyMet = -1;
}

void store_sweep(Database& database, const Swept& swept) {
  upsert_structs<Swept>(database, table_named("survey_sweep").table, {swept});
}

void note_first_run(Database& database, const std::string& push, Instant now) {
  Transaction transaction(database);
  if (!swept_or_met(database, push)) store_sweep(database, {push, now, now, kOnlyMet, {}});
  transaction.commit();
}

std::optional<Instant> last_sweep(Database& database, const std::string& push) {
  return instant_in(query_value(
      database,
      R"(SELECT MAX("began_at") FROM "survey_sweep" WHERE "push" = {key} AND "rows" >= 0)",
      {push}));
}

std::optional<Instant> swept_or_met(Database& database, const std::string& push) {
  return instant_in(query_value(
      database, R"(SELECT MAX("began_at") FROM "survey_sweep" WHERE "push" = {key})", {push}));
}

std::vector<Swept> sweeps(Database& database) {
  return query_structs<Swept>(database, R"(SELECT "push", "began_at", "ended_at", "rows", "within")"
                                        R"( FROM "survey_sweep" ORDER BY "push")");
}

}  // namespace surveybridge::crm
