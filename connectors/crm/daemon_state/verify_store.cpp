#include "connectors/crm/daemon_state/verify_store.hpp"

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {

void store_verify_result(Database& database, const Verified& verify_results) {
  const Value differences =
      verify_results.differences ? Value{*verify_results.differences} : Value{mapping::Null{}};
  put(database, upsert(database.dialect(), verify_table()),
      {{verify_results.push, verify_results.at, verify_results.eligible, verify_results.unaccounted,
        differences, text_or_null(verify_results.besides)}});
}

std::vector<Verified> verify_results(Database& database) {
  const auto found =
      query_rows(database, R"(SELECT "push", "at", "eligible", "unaccounted", "differences",)"
                           R"( "besides" FROM "survey_verify" ORDER BY "push")");
  std::vector<Verified> all;
  for (const auto& row : found) {
    all.push_back({text_in(row.at(0)), instant_in(row.at(1)).value_or(Instant{}),
                   integer_in(row.at(2)), integer_in(row.at(3)), std::nullopt, text_in(row.at(5))});
    if (!mapping::is_null(row.at(4))) all.back().differences = integer_in(row.at(4));
  }
  return all;
}

}  // namespace surveybridge::crm
