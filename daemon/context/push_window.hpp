// Which rows of a push a poll finds, by their `when` and the CRM's clock.
#pragma once

#include <optional>
#include <string>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

// Rows of this time and later are found: from `start` on, and not before `look_back` before the
// last sweep over the whole window, as the ledger remembers it. What came while the bridge stood
// still is found, however long that lasted. Needs the bridge's tables. `zone`: of the CRM.
TimePoint found_since(const config::Push& push, const std::string& zone, crm::Database& store,
                      TimePoint crm_now);
// The same by a sweep that is known; empty: there was none.
TimePoint found_since(const config::Push& push, const std::string& zone,
                      std::optional<TimePoint> last_sweep, TimePoint crm_now);

// Is the transaction date that the push sends another than its `when`?
bool is_dated_otherwise(const config::Push& push);

}  // namespace surveybridge::daemon
