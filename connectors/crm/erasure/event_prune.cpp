#include "connectors/crm/erasure/event_prune.hpp"

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {

namespace {

// Ids ascend with time, except for transactions that ran at the same time: an event behind a
// younger one is read by the next walk.
PrunedEvents next_events(Database& database, Instant before, std::int64_t after, int most) {
  const Dialect dialect = database.dialect();
  const std::string select =
      limited(dialect,
              in_dialect(dialect, R"(SELECT "id", "at" FROM "survey_push_event")"
                                  R"( WHERE "id" > {integer} ORDER BY "id")"),
              most);
  PrunedEvents next{0, after, false};
  const auto found = database.query({select, {after}});
  for (const auto& row : found.rows) {
    next.at_end = instant_in(row.at(1)).value_or(Instant::max()) >= before;
    if (next.at_end) return next;
    next.reached = integer_in(row.at(0));
  }
  next.at_end = found.rows.size() < static_cast<std::size_t>(most);
  return next;
}

}  // namespace

PrunedEvents prune_events(Database& database, Instant before, std::int64_t after, int most) {
  PrunedEvents pruned = next_events(database, before, after, most);
  if (pruned.reached == after) return pruned;
  Transaction transaction(database);
  const auto old =
      query_rows(database,
                 R"(SELECT e."id" FROM "survey_push_event" e JOIN "survey_push" p)"
                 R"( ON p."push" = e."push" AND p."key" = e."key")"
                 R"( WHERE e."id" > {integer} AND e."id" <= {integer} AND e."at" < {instant})"
                 R"( AND p."state" IN ('sent', 'suppressed') AND p."changed_at" < {instant})",
                 {after, pruned.reached, before, before});
  std::vector<Value> ids;
  for (const auto& row : old)
    ids.push_back(row.at(0));
  if (!ids.empty()) pruned.removed = remove_rows(database, event_table(), ids);
  transaction.commit();
  return pruned;
}

}  // namespace surveybridge::crm
