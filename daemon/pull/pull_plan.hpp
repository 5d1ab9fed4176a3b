// The decisions of a pull, as pure functions: which window is due, and what to request
// (daemon/lists/walk_window has the state of the walk after a page). Follows docs/SERVICE.md 4.5.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/pulled/pull_store.hpp"
#include "connectors/service/api.hpp"
#include "connectors/service/query.hpp"
#include "daemon/job/job.hpp"
#include "daemon/lists/pull_filters.hpp"
#include "daemon/lists/walk_window.hpp"

namespace surveybridge::daemon {

// A walk with an open window: the one that was under way, else the next one.
// `today` is the database's clock; `zone` the CRM's, for a `from` without an offset.
crm::StoredWalk open_window(crm::StoredWalk walk, const WalkPlan& plan, const std::string& zone,
                            TimePoint db_now);

// When the next window of a walk without an open one is due. A walk with an end in the future is
// due at once: the database's clock was ahead.
TimePoint next_window(const crm::StoredWalk& walk, const WalkPlan& plan, TimePoint db_now);

// The walk's window as a list parameter (docs/SERVICE.md 4.2 to 4.4).
service::Parameter window_of(const crm::StoredWalk& walk, const WalkPlan& plan);

// A service that counts rows in its cursor skips one when another one, already read, leaves the
// window. Whether that may have happened is asked after the last of several pages.
bool needs_move_check(const crm::StoredWalk& walk, const std::string& next_cursor);

// Who has moved since the window was opened: the parameter of that request.
service::Parameter moved_since(const crm::StoredWalk& walk, const WalkPlan& plan);

// The keys of the listed records that are now after the window. A date that is not shown may be.
std::vector<mapping::Value> keys_after(const std::vector<mapping::Record>& listed,
                                       const crm::StoredWalk& walk, const WalkPlan& plan);
// Were some of these, as they are stored, in the window or after it?
bool were_inside(const std::vector<mapping::Record>& stored, const crm::StoredWalk& walk,
                 const WalkPlan& plan);

// What becomes of a window that was read to its end while records left it: one that is not much
// longer than the next one is read again with that one, and the watermark stays. A longer one is
// read again in parts.
bool is_left_to_the_next(const crm::StoredWalk& walk, const WalkPlan& plan);

}  // namespace surveybridge::daemon
