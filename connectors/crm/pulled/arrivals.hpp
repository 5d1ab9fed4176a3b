// How much came in each hour of the last weeks (table survey_arrival), so that a status can tell
// that less comes than usual without reading what grows: rows that a push has met for the first
// time, and records of a walk that were new or different.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// So many hours are kept: 14 weeks.
inline constexpr std::int64_t kArrivalHours = std::int64_t{24} * 7 * 14;

struct Arrivals {
  std::int64_t first = 0;          // since 1970, by UTC: the hour of rows[0]
  std::vector<std::int64_t> rows;  // one number an hour; the last hour is not over; empty: none
  bool operator==(const Arrivals&) const = default;
};

// `job`: its name, "push.orders" or "pull.customers.LastActivityDate". An hour without a number
// counts as 0. `until`: up to that time, where there are numbers before it.
Arrivals arrivals(Database& database, const std::string& job, std::optional<Instant> until = {});

// Counts the ledger's rows of a push, from the last hour that was counted up to now by the
// database's clock. An hour is counted once more in the next one, since rows are committed late.
// Reads the rows that changed since then, by an index. The first hour is the one before the first
// count. Removes what is too old, of every job.
void count_arrivals(Database& database, const std::string& push);
// Within the transaction that stores a page of a walk. The first of an hour removes what is too old
// of the job: without a push nothing else does.
void add_arrivals(Database& database, const std::string& job, Instant at, std::int64_t records);

}  // namespace surveybridge::crm
