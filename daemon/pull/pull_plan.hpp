// The decisions of a pull, as pure functions: which window is due, what to request, and the state
// of the walk after a page. Follows docs/SERVICE.md 4.5.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/pulled/pull_store.hpp"
#include "connectors/service/api.hpp"
#include "connectors/service/query.hpp"
#include "daemon/job/job.hpp"
#include "daemon/lists/paging.hpp"
#include "daemon/lists/pull_filters.hpp"

namespace surveybridge::daemon {

// The state of a walk that is not stored: it begins again with the process.
struct WindowHistory {
  std::optional<TimePoint> window;  // the end of the window of `pages`
  PageHistory pages;
};

// A walk with an open window: the one that was under way, else the next one.
// `today` is the database's clock; `zone` the CRM's, for a `from` without an offset.
crm::StoredWalk open_window(crm::StoredWalk walk, const WalkPlan& plan, const std::string& zone,
                            TimePoint db_now);

// When the next window of a walk without an open one is due. A walk with an end in the future is
// due at once: the database's clock was ahead.
TimePoint next_window(const crm::StoredWalk& walk, const WalkPlan& plan, TimePoint db_now);

// The walk's window as a list parameter (docs/SERVICE.md 4.2 to 4.4).
service::Parameter window_of(const crm::StoredWalk& walk, const WalkPlan& plan);

// The state of the walk after a page. After the last page (no cursor, a cursor seen before, or
// two empty pages in a row) the window is closed and the watermark moved. A short page is not the
// end.
crm::StoredWalk after_page(crm::StoredWalk walk, std::size_t records,
                           const std::string& next_cursor, WindowHistory& history,
                           TimePoint db_now);

// Begins the window again with its first page, because the service no longer knows the cursor.
crm::StoredWalk start_again(crm::StoredWalk walk, WindowHistory& history);

inline bool is_open(const crm::StoredWalk& walk) {
  return walk.window_to.has_value();
}

}  // namespace surveybridge::daemon
