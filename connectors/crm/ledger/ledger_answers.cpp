// What the ledger knows of the service's answers: what it refuses, what breaks it, and what it took
// and never listed. Changes nothing.
#include <algorithm>
#include <set>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"

namespace surveybridge::crm {
namespace {

// Rows of the smallest batch that was answered so, and that one of these keys was in last, if it is
// pending now; 0: none. Two look-ups by key: the first tells the batches.
std::int64_t smallest(Database& database, const std::string& push,
                      const std::vector<std::string>& keys, Outcome answer) {
  const auto batches = text_set_in(
      rows_with_keys(database, R"(SELECT "batch" FROM "survey_push")",
                     {"key", ColumnType::key_text}, {keys.begin(), keys.end()},
                     R"( AND "push" = {key} AND "state" = {key} AND "batch" IS NOT NULL)",
                     {push, to_string(State::pending)}));
  std::int64_t least = 0;
  for (const auto& row : rows_with_keys(
           database, R"(SELECT "rows" FROM "survey_batch")", {"id", ColumnType::key_text},
           {batches.begin(), batches.end()}, R"( AND "outcome" = {key})", {to_string(answer)}))
    least = least == 0 ? integer_in(row.at(0)) : std::min(least, integer_in(row.at(0)));
  return least;
}

}  // namespace

std::int64_t Ledger::smallest_refused(const std::string& push,
                                      const std::vector<std::string>& keys) {
  return smallest(database_, push, keys, Outcome::refused);
}

std::int64_t Ledger::smallest_broken(const std::string& push,
                                     const std::vector<std::string>& keys) {
  return smallest(database_, push, keys, Outcome::unknown);
}

Ledger::Refusals Ledger::refusals_since(const std::string& push, Instant since) {
  Refusals refusals;
  for (const auto& row :
       query_rows(database_,
                  R"(SELECT "state", COUNT(*) FROM "survey_push" WHERE "push" = {key})"
                  R"( AND "state" IN ('quarantined', 'sent') AND "changed_at" > {instant})"
                  R"( AND "batch" IS NOT NULL GROUP BY "state")",
                  {push, since})) {
    auto& rows = state_in(row.at(0)) == State::sent ? refusals.sent : refusals.refused;
    rows = integer_in(row.at(1));
  }
  return refusals;
}

std::int64_t Ledger::forbidden_alone(const std::string& push, const std::string& key) {
  return integer_in(query_value(
      database_,
      R"(SELECT COUNT(DISTINCT b."id") FROM "survey_batch" b JOIN "survey_push_event" e)"
      R"( ON e."batch" = b."id" WHERE e."push" = {key} AND e."key" = {key})"
      R"( AND b."rows" = 1 AND b."http_status" = 403 AND b."sent_at" <)"
      R"( (SELECT MAX(a."sent_at") FROM "survey_batch" a WHERE a."push" = {key})"
      R"( AND a."outcome" = {key}))",
      {push, key, push, to_string(Outcome::accepted)}));
}

std::int64_t Ledger::never_listed(const std::string& push, Instant from, Instant to) {
  return integer_in(query_value(database_,
                                R"(SELECT COUNT(*) FROM "survey_push" WHERE "push" = {key})"
                                R"( AND "state" = 'sent' AND "customer_id" IS NULL)"
                                R"( AND ("test" IS NULL OR "test" = {boolean}))"
                                R"( AND "changed_at" >= {instant} AND "changed_at" < {instant})",
                                {push, false, from, to}));
}

bool Ledger::keeps_what_it_refuses(const std::string& push) {
  return has_row(database_,
                 R"(SELECT "id" FROM "survey_batch" WHERE "push" = {key})"
                 R"( AND "outcome" = {key} ORDER BY "sent_at" DESC)",
                 {push, to_string(Outcome::kept)});
}

}  // namespace surveybridge::crm
