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
                      const std::vector<std::string>& keys, const std::string& answered,
                      const Value& answer) {
  const Dialect dialect = database.dialect();
  const auto equals = [&](const char* column, std::size_t place) {
    return " AND " + quoted(dialect, column) + " = :p" + std::to_string(place);
  };
  std::set<std::string> batches;
  for (auto& run : key_chunks(dialect, {keys.begin(), keys.end()})) {
    const std::string sql = in_dialect(dialect, R"(SELECT "batch" FROM "survey_push" WHERE )") +
                            one_of(dialect, {"key", ColumnType::key_text}, run.size()) +
                            equals("push", run.size() + 1) + equals("state", run.size() + 2) +
                            " AND " + quoted(dialect, "batch") + " IS NOT NULL";
    run.insert(run.end(), {Value(push), Value(to_string(State::pending))});
    for (const auto& row : database.query({sql, std::move(run)}).rows)
      batches.insert(text_in(row.at(0)));
  }
  std::int64_t least = 0;
  for (auto& run : key_chunks(dialect, {batches.begin(), batches.end()})) {
    const std::string sql = in_dialect(dialect, R"(SELECT "rows" FROM "survey_batch" WHERE )") +
                            one_of(dialect, {"id", ColumnType::key_text}, run.size()) +
                            equals(answered.c_str(), run.size() + 1);
    run.push_back(answer);
    for (const auto& row : database.query({sql, std::move(run)}).rows)
      least = least == 0 ? integer_in(row.at(0)) : std::min(least, integer_in(row.at(0)));
  }
  return least;
}

}  // namespace

std::int64_t Ledger::smallest_refused(const std::string& push,
                                      const std::vector<std::string>& keys) {
  return smallest(database_, push, keys, "outcome", to_string(Outcome::refused));
}

std::int64_t Ledger::smallest_broken(const std::string& push,
                                     const std::vector<std::string>& keys) {
  return smallest(database_, push, keys, "outcome", to_string(Outcome::unknown));
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
  const std::string select =
      in_dialect(database_.dialect(),
                 R"(SELECT COUNT(DISTINCT b."id") FROM "survey_batch" b JOIN "survey_push_event" e)"
                 R"( ON e."batch" = b."id" WHERE e."push" = {key} AND e."key" = {key})"
                 R"( AND b."rows" = 1 AND b."http_status" = 403 AND b."sent_at" <)"
                 R"( (SELECT MAX(a."sent_at") FROM "survey_batch" a WHERE a."push" = {key})"
                 R"( AND a."outcome" = {key}))");
  return integer_in(
      database_.query({select, {push, key, push, to_string(Outcome::accepted)}}).rows.at(0).at(0));
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
