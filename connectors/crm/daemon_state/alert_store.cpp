#include "connectors/crm/daemon_state/alert_store.hpp"

#include "connectors/crm/rows/row_struct.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {

std::vector<Alert> AlertStore::of(const std::string& receiver) {
  return query_structs<Alert>(
      database_,
      R"(SELECT "receiver", "subject", "what", "command", "since", "seen_at", "told_at", "cause",)"
      R"( "told" FROM "survey_alert" WHERE "receiver" = {key} ORDER BY "subject")",
      {receiver});
}

void AlertStore::put(const std::vector<Alert>& alerts) {
  upsert_structs(database_, table_named("survey_alert").table, alerts);
}

void AlertStore::remove(const Alert& alert) {
  run_statement(database_,
                R"(DELETE FROM "survey_alert" WHERE "receiver" = {key} AND "subject" = {key})",
                {alert.receiver, alert.subject});
}

void AlertStore::remove_unseen_since(Instant before) {
  remove_where(database_, table_named("survey_alert").table, R"("seen_at" < {instant})", {before});
}

}  // namespace surveybridge::crm
