#include "connectors/crm/pulled/arrivals.hpp"

#include <algorithm>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {
namespace {

std::int64_t hour_of(Instant at) {
  return std::chrono::floor<std::chrono::hours>(at).time_since_epoch().count();
}

Instant begin_of(std::int64_t hour) {
  return Instant{std::chrono::hours{hour}};
}

// A row has changed when it was seen, or later. Each state is named so that an index finds it.
std::int64_t count_hour(Database& database, const std::string& push, std::int64_t hour) {
  return integer_in(query_value(
      database,
      R"(SELECT COUNT(*) FROM "survey_push" WHERE "push" = {key} AND "state" IN ('pending',)"
      R"( 'claimed', 'sent', 'in_doubt', 'held', 'suppressed', 'quarantined'))"
      R"( AND "changed_at" >= {instant} AND "seen_at" >= {instant} AND "seen_at" < {instant})",
      {push, begin_of(hour), begin_of(hour), begin_of(hour + 1)}));
}

}  // namespace

// A number of a later hour is of a clock that was wrong.
void count_arrivals(Database& database, const std::string& push) {
  const std::string job = "push." + push;
  const std::int64_t now = hour_of(database.now());
  remove_where(database, table_named("survey_arrival").table,
               R"("hour" <= {integer} OR "hour" > {integer})", {now - kArrivalHours, now});
  const Value last = query_value(
      database, R"(SELECT MAX("hour") FROM "survey_arrival" WHERE "job" = {key})", {job});
  std::int64_t hour =
      mapping::is_null(last) ? now - 1 : std::max(integer_in(last) - 1, now - kArrivalHours + 1);
  std::vector<std::vector<Value>> rows;
  for (; hour <= now; ++hour)
    rows.push_back({job, hour, count_hour(database, push, hour)});
  Transaction transaction(database);
  upsert_rows(database, table_named("survey_arrival").table, rows);
  transaction.commit();
}

void add_arrivals(Database& database, const std::string& job, Instant at, std::int64_t records) {
  if (records == 0) return;
  const Table& table = table_named("survey_arrival").table;
  if (add_to_row(database, table, {job, hour_of(at), records})) return;
  remove_where(database, table, R"("job" = {key} AND "hour" <= {integer})",
               {job, hour_of(at) - kArrivalHours});
}

Arrivals arrivals(Database& database, const std::string& job, std::optional<Instant> until) {
  Arrivals found;
  for (const auto& row : query_rows(database,
                                    R"(SELECT "hour", "rows" FROM "survey_arrival")"
                                    R"( WHERE "job" = {key} ORDER BY "hour")",
                                    {job})) {
    const std::int64_t hour = integer_in(row.at(0));
    if (found.rows.empty()) found.first = hour;
    found.rows.resize(static_cast<std::size_t>(hour - found.first));
    found.rows.push_back(integer_in(row.at(1)));
  }
  const std::int64_t hours = until ? hour_of(*until) - found.first + 1 : 0;
  const auto known = static_cast<std::int64_t>(found.rows.size());
  if (known > 0 && hours > known)
    found.rows.resize(static_cast<std::size_t>(std::min(hours, kArrivalHours)));
  return found;
}

}  // namespace surveybridge::crm
