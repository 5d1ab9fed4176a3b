#include "connectors/crm/ledger/sent_keys.hpp"

#include <algorithm>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/erased_keys.hpp"
#include "connectors/crm/schema/ledger_words.hpp"

namespace surveybridge::crm {

namespace {

// Where those were sent elsewhere, none is known here.
constexpr int kLookedAt = 200;

// An earlier version did not say.
bool is_one_or_unknown(const Value& cell, const std::vector<std::string>& texts) {
  return mapping::is_null(cell) || std::ranges::find(texts, text_in(cell)) != texts.end();
}

}  // namespace

std::vector<SentKey> last_sent(Database& database, const std::string& push, const SentTo& to,
                               Instant before, std::size_t limit) {
  std::vector<SentKey> keys;
  for (const auto& row :
       query_rows(database,
                  R"(SELECT p."key", p."changed_at", p."test", b."service", b."correlate" FROM)"
                  R"( "survey_push" p)"
                  R"( JOIN "survey_batch" b ON b."id" = p."batch" WHERE p."push" = {key})"
                  R"( AND p."state" = 'sent' AND p."changed_at" < {instant})"
                  R"( AND COALESCE(p."reason", '') NOT LIKE ')" +
                      std::string(kMarkedSent) + R"(%' AND p."key" NOT LIKE ')" +
                      std::string(kErasedKey) + R"(%' ORDER BY p."changed_at" DESC, p."key" DESC)",
                  {push, before}, kLookedAt)) {
    const bool here =
        is_one_or_unknown(row.at(3), to.services) && is_one_or_unknown(row.at(4), {to.correlate});
    if (here && (to.test || !boolean_in(row.at(2))) && keys.size() < limit)
      keys.push_back({text_in(row.at(0)), instant_in(row.at(1)).value_or(Instant{})});
  }
  return keys;
}

std::vector<std::string> former_pushes(Database& database,
                                       const std::vector<std::string>& configured) {
  auto names =
      texts_in(query_rows(database, R"(SELECT "push" FROM "survey_brake" ORDER BY "push")"));
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::find(configured, name) != configured.end();
  });
  return names;
}

std::vector<std::string> former_names(Database& database, const std::string& correlate,
                                      const std::vector<std::string>& configured,
                                      const std::vector<std::string>& services) {
  if (correlate.empty()) return {};
  std::string such =
      R"(SELECT "push" FROM "survey_brake" WHERE "push" = {key} AND EXISTS (SELECT 1 FROM)"
      R"( "survey_batch" b WHERE b."push" = {key} AND b."correlate" = {key})";
  for (std::size_t i = 0; i < services.size(); ++i)
    such += i == 0 ? R"( AND b."service" IN ({key})" : ", {key}";
  such += services.empty() ? ")" : "))";
  std::vector<std::string> names;
  for (const auto& push : former_pushes(database, configured)) {
    std::vector<Value> parameters{push, push, correlate};
    parameters.insert(parameters.end(), services.begin(), services.end());
    if (has_row(database, such, parameters)) names.push_back(push);
  }
  return names;
}

std::set<std::pair<std::string, std::string>> key_carriers(Database& database) {
  std::set<std::pair<std::string, std::string>> carriers;
  for (const auto& row :
       query_rows(database, R"(SELECT DISTINCT "push", "correlate" FROM "survey_batch" WHERE)"
                            R"( "correlate" <> '')"))
    carriers.emplace(text_in(row.at(0)), text_in(row.at(1)));
  return carriers;
}

std::string last_batch(Database& database, const std::vector<std::string>& pushes) {
  std::pair<std::optional<Instant>, std::string> last;
  for (const auto& push : pushes) {  // each is a look into the index
    for (const auto& row : query_rows(database,
                                      R"(SELECT "sent_at", "id" FROM "survey_batch")"
                                      R"( WHERE "push" = {key} ORDER BY "sent_at" DESC)",
                                      {push}, 1))
      last = std::max(last, {instant_in(row.at(0)), text_in(row.at(1))});
  }
  return last.second;
}

bool is_claimed(Database& database, const std::string& batch) {
  const auto rows =
      query_rows(database,
                 R"(SELECT b."rows", (SELECT COUNT(*) FROM "survey_push" p WHERE)"
                 R"( p."batch" = b."id" AND p."state" = 'claimed') FROM "survey_batch" b)"
                 R"( WHERE b."id" = {key})",
                 {batch});
  return !rows.empty() && integer_in(rows.front().at(0)) == integer_in(rows.front().at(1));
}

bool is_proved_answer(Database& database, const std::string& push, int http_status,
                      const std::string& detail) {
  return has_row(
      database,
      R"(SELECT b."id" FROM "survey_batch" b JOIN "survey_push" p ON p."batch" = b."id")"
      R"( WHERE b."push" = {key} AND b."outcome" = {key} AND b."http_status" = {integer})"
      R"( AND b."detail" = {text} AND p."state" = {key} AND p."customer_id" IS NOT NULL)",
      {push, to_string(Outcome::unknown), std::int64_t{http_status}, detail,
       to_string(State::sent)});
}

}  // namespace surveybridge::crm
