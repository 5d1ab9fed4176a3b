#include "connectors/crm/report/history_store.hpp"

#include <limits>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/report/report_views.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/report_tables.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

constexpr const char* kState = "history";  // in survey_report_state: "DAY all" or "DAY CUSTOMER"
constexpr const char* kEveryCustomer = "all";
constexpr int kCustomersAtOnce = 2000;
constexpr int kRunsMost = 25;
constexpr std::int64_t kBeforeAll = std::numeric_limits<std::int64_t>::min();

// A parameter that stands in a SELECT: there the database does not know its type.
std::string instant_parameter(Dialect dialect, std::size_t number) {
  const std::string_view type = traits(dialect).instant_type;
  return type.empty() ? fmt::format(":p{}", number) : fmt::format("CAST(:p{} AS {})", number, type);
}

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
  const auto newest =
      query_rows(database,
                 R"(SELECT "customer_id", MAX("version") FROM "survey_customer_history")"
                 R"( WHERE "customer_id" > {integer} AND "customer_id" <= {integer})"
                 R"( AND "seen_at" <= {instant} GROUP BY "customer_id")"
                 R"( HAVING MIN("version") < MAX("version"))",
                 {after, last, before});
  if (newest.empty()) return 0;
  return run_each(database,
                  R"(DELETE FROM "survey_customer_history" WHERE "customer_id" = {integer})"
                  R"( AND "version" < {integer})",
                  newest);
}

}  // namespace

bool HistoryStore::has(const ReportColumns& columns) const {
  return scores_ == score_columns(columns);
}

void HistoryStore::prepare(Database& database, const ReportColumns& columns) {
  if (has(columns)) return;
  if (!lacking_scores(database, history_table(), columns).empty()) {
    ShapeChange change(database);
    add_scores(database, history_table(), columns);
    change.commit();
  }
  scores_ = score_columns(columns);
}

void HistoryStore::write(Database& database, const std::vector<Value>& customers,
                         const std::optional<Instant>& now) const {
  if (!kept_) return;
  const Dialect dialect = database.dialect();
  const auto& of = traits(dialect);
  std::vector<std::string> columns = {"stage", "bounced", "opted_out"};
  columns.insert(columns.end(), scores_.begin(), scores_.end());
  std::string names, values, differs;
  for (const auto& column : columns) {
    const std::string name = quoted(dialect, column);
    names += ", " + name;
    values += ", i." + name;
    differs += " OR " + of.differs("h." + name, "i." + name);
  }
  for (auto& some : key_chunks(dialect, customers)) {
    const std::string of_some = one_of(dialect, invitation_table().columns[0], some.size());
    const std::string_view insert =
        now ? R"(INSERT INTO "survey_customer_history" ("customer_id", "version", "seen_at"{0})
              SELECT i."customer_id", COALESCE(h."version", 0) + 1, t."at"{1}
              FROM (SELECT * FROM "survey_invitation" WHERE {2}) i
              CROSS JOIN (SELECT {3} AS "at"{4}) t LEFT JOIN "survey_customer_history" h
              ON h."customer_id" = i."customer_id" AND h."version" =
              (SELECT MAX(m."version") FROM "survey_customer_history" m
              WHERE m."customer_id" = i."customer_id")
              WHERE h."customer_id" IS NULL{5})"
            : R"(INSERT INTO "survey_customer_history" ("customer_id", "version", "seen_at"{0})
              SELECT i."customer_id", 1, i."seen_at"{1}
              FROM (SELECT * FROM "survey_invitation" WHERE {2}) i
              WHERE i."seen_at" IS NOT NULL AND NOT EXISTS (SELECT 1
              FROM "survey_customer_history" h WHERE h."customer_id" = i."customer_id"))";
    const std::string sql =
        filled(dialect, insert, names, values, of_some, instant_parameter(dialect, some.size() + 1),
               of.from_nothing, differs);
    if (now) some.emplace_back(*now);
    database.execute({sql, std::move(some)});
  }
}

std::int64_t prune_history(Database& database, Instant before, Instant now) {
  const std::string today = mapping::write_timestamp(now).substr(0, 10) + " ";
  const std::string state = report_state(database, kState);
  // Begun on another day, or never: from the first customer on.
  std::string reached = state.starts_with(today) ? state.substr(today.size()) : "";
  std::int64_t removed = 0;
  for (int run = 0; run < kRunsMost && reached != kEveryCustomer; ++run) {
    const std::int64_t after = reached.empty() ? kBeforeAll : std::stoll(reached);
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
    const auto last = end_of_run(database, kBeforeAll);
    if (!last) break;
    removed += run_statement(database,
                             R"(DELETE FROM "survey_customer_history")"
                             R"( WHERE "customer_id" <= {integer})",
                             {*last});
  }
  return removed;
}

}  // namespace surveybridge::crm
