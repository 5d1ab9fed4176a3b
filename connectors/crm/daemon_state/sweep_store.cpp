#include "connectors/crm/daemon_state/sweep_store.hpp"

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {

void store_sweep(Database& database, const Swept& swept) {
  const Value within = swept.within ? Value{*swept.within} : Value{mapping::Null{}};
  put(database, upsert(database.dialect(), sweep_table()),
      {{swept.push, swept.began, swept.ended, swept.rows, within}});
}

std::optional<Instant> last_sweep(Database& database, const std::string& push) {
  const auto found =
      query_rows(database, R"(SELECT "began_at" FROM "survey_sweep" WHERE "push" = {key})", {push});
  return found.empty() ? std::nullopt : instant_in(found.front().front());
}

std::vector<Swept> sweeps(Database& database) {
  const auto found =
      query_rows(database, R"(SELECT "push", "began_at", "ended_at", "rows", "within")"
                           R"( FROM "survey_sweep" ORDER BY "push")");
  std::vector<Swept> all;
  for (const auto& row : found) {
    all.push_back({text_in(row.at(0)), instant_in(row.at(1)).value_or(Instant{}),
                   instant_in(row.at(2)).value_or(Instant{}), integer_in(row.at(3)), std::nullopt});
    if (!mapping::is_null(row.at(4))) all.back().within = integer_in(row.at(4));
  }
  return all;
}

}  // namespace surveybridge::crm
