// A backfill: a list's past, asked for once, in slices of time that are walked side by side. Pure.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"
#include "daemon/pull_filters.hpp"

namespace surveybridge::daemon {

// [from, to) in `parts` equal slices. `from` is before `to`, `parts` at least 1.
std::vector<Slice> slices_of(TimePoint from, TimePoint to, int parts);

// The walks of a pull for these slices: by its first date and with its filters. Each is called by
// its slice in survey_cursor, so that the same command goes on where it was killed.
std::vector<WalkPlan> plan_backfill(const config::Pull& pull, const config::Dialect& dialect,
                                    const std::vector<Slice>& slices);

}  // namespace surveybridge::daemon
