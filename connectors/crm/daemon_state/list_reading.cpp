#include "connectors/crm/daemon_state/list_reading.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "config/text.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

// The beginnings of their names in survey_seal; behind are the push and the list's section.
constexpr std::string_view kAddresses = "own list addresses ";
constexpr std::string_view kUnread = "own list unread ";
constexpr std::string_view kLost = "own list lost ";

std::string name_of(std::string_view beginning, const std::string& push,
                    const std::string& section) {
  return std::string(beginning) + push + " " + section;
}

}  // namespace

void keep_list_readings(Database& database, const std::string& push, const ListReadings& readings) {
  std::vector<std::vector<Value>> rows;
  for (const auto& [section, reading] : readings) {
    rows.push_back({name_of(kAddresses, push, section), std::to_string(reading.addresses)});
    rows.push_back({name_of(kUnread, push, section), std::to_string(reading.unread)});
  }
  Transaction transaction(database);
  upsert_rows(database, table_named("survey_seal").table, rows);
  for (const auto& [section, reading] : readings)
    run_statement(database, R"(DELETE FROM "survey_seal" WHERE "name" = {key})",
                  {name_of(kLost, push, section)});
  transaction.commit();
}

void note_list_loss(Database& database, const std::string& push, const std::string& section) {
  if (list_lost_since(database, push, section)) return;
  upsert_rows(database, table_named("survey_seal").table,
              {{name_of(kLost, push, section), mapping::write_instant(database.now())}});
}

std::optional<Instant> list_lost_since(Database& database, const std::string& push,
                                       const std::string& section) {
  const auto noted =
      query_rows(database, R"(SELECT "value" FROM "survey_seal" WHERE "name" = {key})",
                 {name_of(kLost, push, section)});
  const auto date = mapping::read_date(noted.empty() ? "" : text_in(noted.front().front()));
  const auto* at = date ? std::get_if<Instant>(&date->value) : nullptr;
  return at == nullptr ? std::nullopt : std::optional(*at);
}

ListReadings last_list_readings(Database& database, const std::vector<std::string>& pushes) {
  std::map<std::string, ListReadings> by_push;
  for (const auto& row : query_rows(
           database, R"(SELECT "name", "value" FROM "survey_seal" WHERE "name" LIKE 'own list %')",
           {})) {
    const std::string name = text_in(row.at(0));
    const bool unread = name.starts_with(kUnread);
    if (!unread && !name.starts_with(kAddresses)) continue;
    const auto rest = name.substr((unread ? kUnread : kAddresses).size());
    const auto push = rest.substr(0, rest.find(' '));
    if (rest.size() == push.size()) continue;
    if (!pushes.empty() && std::ranges::find(pushes, push) == pushes.end()) continue;
    auto& reading = by_push[push][rest.substr(push.size() + 1)];
    (unread ? reading.unread : reading.addresses) =
        config::to_number<std::int64_t>(text_in(row.at(1))).value_or(0);
  }
  ListReadings most;
  for (const auto& [push, readings] : by_push) {
    for (const auto& [section, reading] : readings) {
      const auto known = most.emplace(section, reading).first;
      if (reading.addresses > known->second.addresses) known->second = reading;
    }
  }
  return most;
}

}  // namespace surveybridge::crm
