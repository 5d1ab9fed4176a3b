// The SQL around an operator's query: its window, less what the ledger knows. Pure text with
// parameters, for each dialect. The window is a plain condition on the query's own column (the
// parameter is cast, not the column), so that an index on that column serves it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// What a window is read from: the query, and its two columns by their exact names.
struct Windowed {
  std::string push;
  std::string query;
  Column key, when;
  std::string time_zone;  // of a `when` without a zone
};

// The query as a table: without blanks and semicolons at its end.
std::string without_end(std::string query);

// No rows, only columns.
Statement shape_of_query(Dialect dialect, const std::string& query);

// Why this `when` cannot bound a window; empty: it can.
std::optional<std::string> unusable_when(Dialect dialect, const Column& when);

// Rows of [since, until) that have a key the ledger does not know: the query's columns, then the
// key as text; ordered by `when`, then key.
Statement unknown_rows(Dialect dialect, const Windowed& source, Instant since, Instant until,
                       int limit);
// How many such rows there are.
Statement count_unknown(Dialect dialect, const Windowed& source, Instant since, Instant until);
// The keys of [since, until), each once: how many, and those that the ledger knows by their state.
Statement count_keys(Dialect dialect, const Windowed& source, Instant since, Instant until);
Statement count_states(Dialect dialect, const Windowed& source, Instant since, Instant until);
// How many rows of [since, until) have no key or an empty one.
Statement rows_without_key(Dialect dialect, const Windowed& source, Instant since, Instant until);
// Rows whose `when` has a place in no window, and whose key the ledger does not know: their keys.
Statement undated_keys(Dialect dialect, const Windowed& source, int limit);
// How many rows have such a `when`, whatever the ledger says.
Statement count_undated(Dialect dialect, const Windowed& source);
// Keys of [since, until) that the ledger has set aside with a reason that begins with `reason`.
Statement keys_set_aside(Dialect dialect, const Windowed& source, Instant since, Instant until,
                         const std::string& reason, int limit);
// Is there a number where a date should be? Empty where the column's type already rules that out.
std::optional<Statement> numbers_for_dates(Dialect dialect, const Windowed& source);

// Keys that are pending and need not wait any longer, the longest waiting first.
Statement pending_keys(Dialect dialect, const std::string& push, Instant now, int limit);
// Rows of these keys, with columns and order as unknown_rows(); perhaps a few more, of keys that
// the CRM's collation takes for the same.
Statement rows_by_key(Dialect dialect, const Windowed& source,
                      const std::vector<std::string>& keys);

}  // namespace surveybridge::crm
