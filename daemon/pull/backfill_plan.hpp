// A backfill: a list's past, asked for once, in slices of time. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "daemon/lists/pull_filters.hpp"

namespace surveybridge::daemon {

// [from, to) in `parts` equal slices. `from` is before `to`, `parts` at least 1.
std::vector<Slice> slices_of(TimePoint from, TimePoint to, int parts);

// The walks of a pull for these days, oldest first: by its first date and with its filters, in as
// many windows as there are hours, at most kWindows. Each is called in survey_cursor by all that is
// asked for and its number, so that the same command goes on where it was killed.
inline constexpr int kWindows = 32;
std::vector<WalkPlan> plan_backfill(const config::Pull& pull, const config::ServiceDialect& dialect,
                                    const Slice& whole);

// Where a backfill ends that was begun at `from` and not finished, by the walks that it has left in
// survey_cursor: the latest, where there are several. Empty: there is none.
std::optional<TimePoint> end_of_begun(const config::Pull& pull, TimePoint from,
                                      const std::vector<std::string>& walks);

}  // namespace surveybridge::daemon
