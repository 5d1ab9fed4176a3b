// A backfill reads the past of a list once, in slices of time. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "daemon/lists/pull_filters.hpp"

namespace surveybridge::daemon {

// Divides [from, to) into `parts` equal slices. `from` is before `to`, `parts` at least 1.
std::vector<Slice> slices_of(TimePoint from, TimePoint to, int parts);

// The walks of a pull for this time, oldest first: by its first date and with its filters, one
// window for each hour, at most kWindows. The name of each in survey_cursor contains all that is
// requested and its number, so that the same command continues after a kill.
inline constexpr int kWindows = 32;
std::vector<WalkPlan> plan_backfill(const config::Pull& pull, const config::ServiceDialect& dialect,
                                    const Slice& whole);

// The end of a backfill that was begun at `from` and not finished, from the walks in survey_cursor;
// the latest, if there are several. Empty: none.
std::optional<TimePoint> end_of_begun(const config::Pull& pull, TimePoint from,
                                      const std::vector<std::string>& walks);

}  // namespace surveybridge::daemon
