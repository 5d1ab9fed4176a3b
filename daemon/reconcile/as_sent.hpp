// Rows in doubt are looked up as they were sent: by the data column that carried their keys, and
// with a key that was sent in the same way and covers the form of theirs.
#pragma once

#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"
#include "daemon/reconcile/reconcile_plan.hpp"

namespace surveybridge::daemon {

// None of the doubts was sent to another service. `db_now`: by the database's clock.
std::vector<DoubtGroup> grouped_as_sent(std::vector<crm::Doubt> doubts, const config::Push& push,
                                        const config::Settings& settings, crm::Database& database,
                                        TimePoint db_now);

// Takes away which customers are like a row in doubt, but are others' of these pushes.
void drop_known(Search& search, crm::Ledger& ledger, const std::vector<std::string>& pushes);

}  // namespace surveybridge::daemon
