#include "connectors/crm/report/history_prune.hpp"

#include <limits>
#include <optional>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/report/report_views.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

constexpr const char* kState = "history";  // in survey_report_state: "DAY all" or "DAY CUSTOMER"
constexpr const char* kEveryCustomer = "all";
constexpr int kCustomersAtOnce = 2000;
constexpr int kRunsMost = 25;

// The next customers with a history after this one: the last of them. Nullopt: there are none.
std::optional<std::int64_t> end_of_run(Database& database, std::int64_t after) {
  const auto found = query_rows(database,
                                R"(SELECT DISTINCT "customer_id" FROM "survey_customer_history")"
                                R"( WHERE "customer_id" > {integer} ORDER BY "customer_id")",
                                {after}, kCustomersAtOnce);
  if (found.empty()) return std::nullopt;
  return integer_in(found.back().at(0));
}

// Of the customers after one up to another.
std::int64_t prune_run(Database& database, std::int64_t after, std::int64_t last, Instant before) {
  const Dialect dialect = database.dialect();
  const auto found =
      query_rows(database,
                 R"(SELECT "customer_id", MAX("version") FROM "survey_customer_history")"
                 R"( WHERE "customer_id" > {integer} AND "customer_id" <= {integer})"
                 R"( AND "seen_at" <= {instant} GROUP BY "customer_id")"
                 R"( HAVING MIN("version") < MAX("version"))",
                 {after, last, before});
  std::vector<std::vector<Value>> newest;
  for (const auto& row : found)
    newest.push_back({integer_in(row.at(0)), integer_in(row.at(1))});
  if (newest.empty()) return 0;
  return database.execute_each(in_dialect(dialect, R"(DELETE FROM "survey_customer_history")"
                                                   R"( WHERE "customer_id" = {integer})"
                                                   R"( AND "version" < {integer})"),
                               newest);
}

}  // namespace

std::int64_t prune_history(Database& database, Instant before, Instant now) {
  const std::string today = mapping::write_timestamp(now).substr(0, 10) + " ";
  const std::string state = report_state(database, kState);
  // Begun on another day, or never: from the first customer on.
  std::string reached = state.starts_with(today) ? state.substr(today.size()) : "";
  std::int64_t removed = 0;
  for (int run = 0; run < kRunsMost && reached != kEveryCustomer; ++run) {
    const std::int64_t after =
        reached.empty() ? std::numeric_limits<std::int64_t>::min() : std::stoll(reached);
    const auto last = end_of_run(database, after);
    Transaction transaction(database);
    if (last) removed += prune_run(database, after, *last, before);
    reached = last ? std::to_string(*last) : kEveryCustomer;
    set_report_state(database, kState, today + reached);
    transaction.commit();
  }
  return removed;
}

std::int64_t clear_history(Database& database) {
  std::int64_t removed = 0;
  for (int run = 0; run < kRunsMost; ++run) {
    const auto last = end_of_run(database, std::numeric_limits<std::int64_t>::min());
    if (!last) break;
    removed += run_statement(database,
                             R"(DELETE FROM "survey_customer_history")"
                             R"( WHERE "customer_id" <= {integer})",
                             {*last});
  }
  return removed;
}

}  // namespace surveybridge::crm
