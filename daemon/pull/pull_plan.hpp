// What a pull decides, without doing it. Pure: which window is due, what to ask for, and where the
// walk stands after a page. Follows docs/SERVICE.md 4.5.
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

// What of a walk is not worth a table: it starts anew with the process.
struct WindowHistory {
  std::optional<TimePoint> window;  // whose trail it is: its end
  PageHistory trail;
};

// The operation that serves a list (4.2 to 4.4).
const service::ListOperation& operation_of(config::Pull::List list);

// A walk with an open window: the one that was under way, else the next one.
// `today` is the database's clock; `zone` the CRM's, for a `from` without an offset.
crm::StoredWalk open_window(crm::StoredWalk walk, const WalkPlan& plan, const std::string& zone,
                            TimePoint db_now);

// When the next window is due, of a walk that has none open. A walk that was finished at a time
// still to come says nothing: the database's clock was ahead.
TimePoint next_window(const crm::StoredWalk& walk, const WalkPlan& plan, TimePoint db_now);

// The walk's window as a list parameter (4.2 to 4.4).
service::Parameter window_of(const crm::StoredWalk& walk, const WalkPlan& plan);

// Where the walk stands after a page; the window is closed and the watermark moved when this was
// the last one: no cursor, one seen before, or two empty pages in a row. A short page is not the
// end.
crm::StoredWalk after_page(crm::StoredWalk walk, std::size_t records,
                           const std::string& next_cursor, WindowHistory& trail, TimePoint db_now);

// The window from its first page again, because the service no longer knows the cursor.
crm::StoredWalk start_again(crm::StoredWalk walk, WindowHistory& trail);

inline bool is_open(const crm::StoredWalk& walk) {
  return walk.window_to.has_value();
}

}  // namespace surveybridge::daemon
