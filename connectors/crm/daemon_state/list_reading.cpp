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

// The beginnings of their names in survey_seal; the list's section is behind.
constexpr std::string_view kAddresses = "own list addresses ";
constexpr std::string_view kUnread = "own list unread ";
// Behind are the push and the list's section.
constexpr std::string_view kBefore = "own list before ";
constexpr std::string_view kLost = "own list lost ";

std::string name_of(std::string_view beginning, const std::string& push,
                    const std::string& section) {
  return std::string(beginning) + push + " " + section;
}

// The values of seals that begin so, by what is behind.
std::map<std::string, std::int64_t> numbers_of(Database& database, std::string_view beginning) {
  std::map<std::string, std::int64_t> numbers;
  for (const auto& row :
       query_rows(database, R"(SELECT "name", "value" FROM "survey_seal" WHERE "name" LIKE {key})",
                  {std::string(beginning) + "%"}))
    numbers[text_in(row.at(0)).substr(beginning.size())] =
        config::to_number<std::int64_t>(text_in(row.at(1))).value_or(0);
  return numbers;
}

// A person has accepted for one push that a list lost addresses. Pushes that have kept no reading
// of their own are still compared with what the list had before, until it is filled again.
void keep_for_others(Database& database, const std::string& push, const std::string& section,
                     std::int64_t addresses) {
  if (!list_lost_since(database, push, section)) return;
  const std::string name = name_of(kBefore, "", section);
  const auto before =
      std::max(addresses_before(database, push, section), addresses_before(database, "", section));
  if (10 * addresses < 9 * before)
    upsert_rows(database, table_named("survey_seal").table, {{name, std::to_string(before)}});
  else
    run_statement(database, R"(DELETE FROM "survey_seal" WHERE "name" = {key})", {name});
}

}  // namespace

void keep_list_readings(Database& database, const std::string& push, const ListReadings& readings) {
  Transaction transaction(database);
  std::vector<std::vector<Value>> rows;
  for (const auto& [section, reading] : readings) {
    keep_for_others(database, push, section, reading.addresses);
    rows.push_back({std::string(kAddresses) + section, std::to_string(reading.addresses)});
    rows.push_back({std::string(kUnread) + section, std::to_string(reading.unread)});
    rows.push_back({name_of(kBefore, push, section), std::to_string(reading.addresses)});
  }
  upsert_rows(database, table_named("survey_seal").table, rows);
  for (const auto& [section, reading] : readings)
    run_statement(database, R"(DELETE FROM "survey_seal" WHERE "name" = {key})",
                  {name_of(kLost, push, section)});
  transaction.commit();
}

void note_list_loss(Database& database, const std::string& push, const std::string& section) {
  if (list_lost_since(database, push, section)) return;
  const auto before = addresses_before(database, push, section);
  upsert_rows(database, table_named("survey_seal").table,
              {{name_of(kLost, push, section), mapping::write_instant(database.now())},
               {name_of(kBefore, push, section), std::to_string(before)}});
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

ListReadings last_list_readings(Database& database) {
  ListReadings readings;
  for (const auto& [section, addresses] : numbers_of(database, kAddresses))
    readings[section].addresses = addresses;
  for (const auto& [section, unread] : numbers_of(database, kUnread))
    readings[section].unread = unread;
  return readings;
}

std::int64_t addresses_before(Database& database, const std::string& push,
                              const std::string& section) {
  const auto before = numbers_of(database, kBefore);
  if (const auto own = before.find(push + " " + section); own != before.end()) return own->second;
  std::int64_t most = last_list_readings(database)[section].addresses;
  for (const auto& [name, addresses] : before)
    if (name.ends_with(" " + section)) most = std::max(most, addresses);
  return most;
}

}  // namespace surveybridge::crm
