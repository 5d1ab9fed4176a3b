// Kept counts of the ledger (table survey_count), for a status that must not read the whole ledger.
// Hardly a row leaves the states "sent" and "suppressed": their rows are counted at intervals, and
// a status adds the rows that changed later. A small ledger has no kept counts.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/ledger/ledger.hpp"

namespace surveybridge::crm {

// The fewest rows of a push in one state of which the count is kept.
inline constexpr std::int64_t kCountKept = 100'000;
// A row whose changed_at is older than this is committed, or never will be.
inline constexpr std::chrono::minutes kCommittedWithin{10};

struct KeptCount {
  std::string push, counted;  // a state, or kNeverListed
  std::int64_t rows = 0;
  Instant before;  // rows changed before that time
  static auto cells(auto& of) { return std::tie(of.push, of.counted, of.rows, of.before); }
  bool operator==(const KeptCount&) const = default;
};
inline constexpr const char* kNeverListed = "never listed";

// By push and what is counted.
std::vector<KeptCount> kept_counts(Database& database);

// Counts the rows of "sent" and "suppressed" of every push that changed kCommittedWithin ago or
// earlier, and keeps each number of at least `least`. One statement that reads an index of the
// whole ledger.
void renew_kept_counts(Database& database, std::int64_t least = kCountKept);
// How old the oldest of these numbers is; empty: none is kept.
std::optional<std::chrono::microseconds> age_of_kept_counts(Database& database);

// The rows of each push and state, by push and state, like Ledger::counts(); by the kept numbers
// where there are some. A row that was found twice in the service's list may be counted twice until
// the numbers are renewed.
std::vector<Ledger::Count> count_by_kept(Database& database);

// Keeps how many rows of a push were sent and never listed, if its sent rows have a kept number;
// otherwise, or without `rows`, none is kept.
void keep_never_listed(Database& database, const std::string& push,
                       const std::optional<std::int64_t>& rows);
// Empty: no number is kept.
std::optional<std::int64_t> kept_never_listed(Database& database, const std::string& push);

}  // namespace surveybridge::crm
