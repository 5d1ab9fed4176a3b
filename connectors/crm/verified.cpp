#include "connectors/crm/verified.hpp"

#include "connectors/crm/cells.hpp"
#include "connectors/crm/own_tables.hpp"
#include "connectors/crm/page_store.hpp"
#include "connectors/crm/sql.hpp"

namespace surveybridge::crm {

void keep_verified(Database& database, const Verified& verified) {
  const Value differences =
      verified.differences ? Value{*verified.differences} : Value{mapping::Null{}};
  put(database, upsert(database.dialect(), verify_table()),
      {{verified.push, verified.at, verified.eligible, verified.unaccounted, differences}});
}

std::vector<Verified> verified(Database& database) {
  const auto found =
      database.query({in_dialect(database.dialect(),
                                 R"(SELECT "push", "at", "eligible", "unaccounted", "differences")"
                                 R"( FROM "survey_verify" ORDER BY "push")"),
                      {}});
  std::vector<Verified> all;
  for (const auto& row : found.rows) {
    all.push_back({text_in(row.at(0)), instant_in(row.at(1)).value_or(Instant{}),
                   integer_in(row.at(2)), integer_in(row.at(3)), std::nullopt});
    if (!mapping::is_null(row.at(4))) all.back().differences = integer_in(row.at(4));
  }
  return all;
}

}  // namespace surveybridge::crm
