// What the ledger knows of the service's answers: what it refuses, what breaks it, and what it took
// and never listed. Changes nothing.
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/rows/typed_cells.hpp"

namespace surveybridge::crm {
namespace {

// Rows of the smallest batch with pending rows that was answered so; 0: none.
std::int64_t smallest(Database& database, const std::string& push, const std::string& answered,
                      const Value& answer) {
  const std::string select = in_dialect(
      database.dialect(), R"(SELECT MIN(b."rows") FROM "survey_push" p JOIN "survey_batch" b)"
                          R"( ON b."id" = p."batch" WHERE p."push" = {key})"
                          R"( AND p."state" = 'pending' AND )" +
                              answered);
  const auto found = database.query({select, {push, answer}});
  const Value& least = found.rows.at(0).at(0);
  return mapping::is_null(least) ? 0 : integer_in(least);
}

}  // namespace

std::int64_t Ledger::smallest_refused(const std::string& push) {
  return smallest(database_, push, R"(b."outcome" = {key})", to_string(Outcome::refused));
}

std::int64_t Ledger::smallest_broken(const std::string& push) {
  return smallest(database_, push, R"(b."http_status" = {integer})", std::int64_t{500});
}

Ledger::Refusals Ledger::refusals_since(const std::string& push, Instant since) {
  Refusals refusals;
  const std::string select = in_dialect(
      database_.dialect(), R"(SELECT "state", COUNT(*) FROM "survey_push" WHERE "push" = {key})"
                           R"( AND "state" IN ('quarantined', 'sent') AND "changed_at" > {instant})"
                           R"( AND "batch" IS NOT NULL GROUP BY "state")");
  for (const auto& row : database_.query({select, {push, since}}).rows) {
    auto& rows = state_in(row.at(0)) == State::sent ? refusals.sent : refusals.refused;
    rows = integer_in(row.at(1));
  }
  return refusals;
}

std::int64_t Ledger::forbidden_alone(const std::string& push, const std::string& key) {
  const std::string select = in_dialect(
      database_.dialect(),
      R"(SELECT COUNT(*) FROM "survey_batch" b JOIN "survey_push_event" e ON e."batch" = b."id")"
      R"( WHERE e."push" = {key} AND e."key" = {key} AND e."state" = 'claimed')"
      R"( AND b."rows" = 1 AND b."http_status" = 403)");
  return integer_in(database_.query({select, {push, key}}).rows.at(0).at(0));
}

std::int64_t Ledger::never_listed(const std::string& push, Instant from, Instant to) {
  const Dialect dialect = database_.dialect();
  const std::string select =
      in_dialect(dialect, R"(SELECT COUNT(*) FROM "survey_push" WHERE "push" = {key})"
                          R"( AND "state" = 'sent' AND "customer_id" IS NULL)"
                          R"( AND ("test" IS NULL OR "test" = {boolean}))"
                          R"( AND "changed_at" >= {instant} AND "changed_at" < {instant})");
  return integer_in(database_.query({select, {push, false, from, to}}).rows.at(0).at(0));
}

bool Ledger::keeps_what_it_refuses(const std::string& push) {
  const Dialect dialect = database_.dialect();
  const std::string select =
      in_dialect(dialect, R"(SELECT "id" FROM "survey_batch" WHERE "push" = {key})"
                          R"( AND "outcome" = {key} ORDER BY "sent_at" DESC)");
  return !database_.query({limited(dialect, select, 1), {push, to_string(Outcome::kept)}})
              .rows.empty();
}

}  // namespace surveybridge::crm
