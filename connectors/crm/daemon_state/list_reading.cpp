#include "connectors/crm/daemon_state/list_reading.hpp"

#include <charconv>
#include <string>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {
namespace {

constexpr const char* kAddresses = "own list addresses";
constexpr const char* kUnread = "own list unread";

std::int64_t number_in(const std::string& text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

void keep_list_reading(Database& database, const ListReading& reading) {
  put(database, upsert(database.dialect(), seal_table()),
      {{std::string(kAddresses), std::to_string(reading.addresses)},
       {std::string(kUnread), std::to_string(reading.unread)}});
}

std::optional<ListReading> last_list_reading(Database& database) {
  const auto found = query_rows(
      database, R"(SELECT "name", "value" FROM "survey_seal" WHERE "name" IN ({key}, {key}))",
      {kAddresses, kUnread});
  if (found.empty()) return std::nullopt;
  ListReading reading;
  for (const auto& row : found)
    (text_in(row.at(0)) == kUnread ? reading.unread : reading.addresses) =
        number_in(text_in(row.at(1)));
  return reading;
}

}  // namespace surveybridge::crm
