#include "connectors/crm/daemon_state/alert_store.hpp"

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {

std::vector<Alert> AlertStore::of(const std::string& receiver) {
  const auto found =
      query_rows(database_,
                 R"(SELECT "subject", "what", "command", "since", "seen_at", "told_at")"
                 R"( FROM "survey_alert" WHERE "receiver" = {key} ORDER BY "subject")",
                 {receiver});
  std::vector<Alert> all;
  for (const auto& row : found)
    all.push_back({receiver, text_in(row.at(0)), text_in(row.at(1)), text_in(row.at(2)),
                   instant_in(row.at(3)).value_or(Instant{}),
                   instant_in(row.at(4)).value_or(Instant{}), instant_in(row.at(5))});
  return all;
}

void AlertStore::put(const std::vector<Alert>& alerts) {
  std::vector<std::vector<Value>> rows;
  for (const auto& alert : alerts)
    rows.push_back({alert.receiver, alert.subject, text_or_null(alert.what),
                    text_or_null(alert.command), alert.since, alert.seen_at,
                    or_null(alert.told_at)});
  crm::put(database_, upsert(database_.dialect(), alert_table()), rows);
}

void AlertStore::remove(const Alert& alert) {
  run_statement(database_,
                R"(DELETE FROM "survey_alert" WHERE "receiver" = {key} AND "subject" = {key})",
                {alert.receiver, alert.subject});
}

void AlertStore::remove_unseen_since(Instant before) {
  run_statement(database_, R"(DELETE FROM "survey_alert" WHERE "seen_at" < {instant})", {before});
}

}  // namespace surveybridge::crm
