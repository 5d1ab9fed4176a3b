#include "connectors/crm/daemon_state/list_reading.hpp"

#include <string>
#include <string_view>

#include "config/text.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

// The beginnings of their names in survey_seal; the list's section is behind.
constexpr std::string_view kAddresses = "own list addresses ";
constexpr std::string_view kUnread = "own list unread ";
constexpr std::string_view kLost = "own list lost ";

}  // namespace

void keep_list_readings(Database& database, const ListReadings& readings) {
  std::vector<std::vector<Value>> rows;
  for (const auto& [section, reading] : readings) {
    rows.push_back({std::string(kAddresses) + section, std::to_string(reading.addresses)});
    rows.push_back({std::string(kUnread) + section, std::to_string(reading.unread)});
  }
  Transaction transaction(database);
  upsert_rows(database, table_named("survey_seal").table, rows);
  for (const auto& [section, reading] : readings)
    run_statement(database, R"(DELETE FROM "survey_seal" WHERE "name" = {key})",
                  {std::string(kLost) + section});
  transaction.commit();
}

void note_list_loss(Database& database, const std::string& section) {
  if (list_lost_since(database, section)) return;
  upsert_rows(database, table_named("survey_seal").table,
              {{std::string(kLost) + section, mapping::write_instant(database.now())}});
}

std::optional<Instant> list_lost_since(Database& database, const std::string& section) {
  const auto noted =
      query_rows(database, R"(SELECT "value" FROM "survey_seal" WHERE "name" = {key})",
                 {std::string(kLost) + section});
  const auto date = mapping::read_date(noted.empty() ? "" : text_in(noted.front().front()));
  const auto* at = date ? std::get_if<Instant>(&date->value) : nullptr;
  return at == nullptr ? std::nullopt : std::optional(*at);
}

ListReadings last_list_readings(Database& database) {
  ListReadings readings;
  for (const auto& row : query_rows(
           database, R"(SELECT "name", "value" FROM "survey_seal" WHERE "name" LIKE 'own list %')",
           {})) {
    const std::string name = text_in(row.at(0));
    const bool unread = name.starts_with(kUnread);
    if (!unread && !name.starts_with(kAddresses)) continue;
    auto& reading = readings[name.substr((unread ? kUnread : kAddresses).size())];
    (unread ? reading.unread : reading.addresses) =
        config::to_number<std::int64_t>(text_in(row.at(1))).value_or(0);
  }
  return readings;
}

}  // namespace surveybridge::crm
