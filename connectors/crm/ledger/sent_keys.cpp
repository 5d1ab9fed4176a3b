#include "connectors/crm/ledger/sent_keys.hpp"

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/ledger_words.hpp"

namespace surveybridge::crm {

namespace {

// Where those were sent elsewhere, none is known here.
constexpr int kLookedAt = 200;

}  // namespace

std::vector<SentKey> last_sent(Database& database, const std::string& push,
                               const std::string& service, bool test, Instant before,
                               std::size_t limit) {
  const Dialect dialect = database.dialect();
  const std::string select = in_dialect(
      dialect, R"(SELECT p."key", p."changed_at", p."test", b."service" FROM "survey_push" p)"
               R"( JOIN "survey_batch" b ON b."id" = p."batch" WHERE p."push" = {key})"
               R"( AND p."state" = 'sent' AND p."changed_at" < {instant})"
               R"( AND COALESCE(p."reason", '') NOT LIKE ')" +
                   std::string(kMarkedSent) + R"(%' ORDER BY p."changed_at" DESC, p."key" DESC)");
  std::vector<SentKey> keys;
  for (const auto& row :
       database.query({limited(dialect, select, kLookedAt), {push, before}}).rows) {
    const std::string to = text_in(row.at(3));
    const bool here = (to.empty() || to == service) && boolean_in(row.at(2)) == test;
    if (here && keys.size() < limit)
      keys.push_back({text_in(row.at(0)), instant_in(row.at(1)).value_or(Instant{})});
  }
  return keys;
}

std::string last_batch(Database& database, const std::string& push) {
  const Dialect dialect = database.dialect();
  const std::string select = in_dialect(
      dialect, R"(SELECT "id" FROM "survey_batch" WHERE "push" = {key} ORDER BY "sent_at" DESC)");
  const auto found = database.query({limited(dialect, select, 1), {push}});
  return found.rows.empty() ? "" : text_in(found.rows.front().front());
}

}  // namespace surveybridge::crm
