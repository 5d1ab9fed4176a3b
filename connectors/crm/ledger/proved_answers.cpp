#include "connectors/crm/ledger/proved_answers.hpp"

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/ledger/ledger.hpp"

namespace surveybridge::crm {

bool is_proved_answer(Database& database, const std::string& push, int http_status,
                      const std::string& detail) {
  const Dialect dialect = database.dialect();
  const std::string select = in_dialect(
      dialect, R"(SELECT b."id" FROM "survey_batch" b JOIN "survey_push" p ON p."batch" = b."id")"
               R"( WHERE b."push" = {key} AND b."outcome" = {key} AND b."http_status" = {integer})"
               R"( AND b."detail" = {text} AND p."state" = {key} AND p."customer_id" IS NOT NULL)");
  return !database
              .query({limited(dialect, select, 1),
                      {push, to_string(Outcome::unknown), std::int64_t{http_status}, detail,
                       to_string(State::sent)}})
              .rows.empty();
}

}  // namespace surveybridge::crm
