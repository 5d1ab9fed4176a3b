// Rows in doubt are looked up as they were sent: by the data column that carried their keys, and
// with a key that was sent in the same way and covers the form of theirs. Those of a push that is
// not configured any more are looked up with those of a push that sends by the same column, to the
// same service: it may be that push, with another name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"
#include "daemon/reconcile/reconcile_plan.hpp"

namespace surveybridge::daemon {

// The names whose rows are looked up with those of this push, its own name first.
std::vector<std::string> names_looked_up(const config::Push& push, const config::Settings& settings,
                                         crm::Database& database);

// The names that are neither configured nor looked up with a push that is.
std::vector<std::string> names_of_nobody(const config::Settings& settings, crm::Database& database);
inline constexpr std::string_view kNotConfigured = "no push of this name is configured: ";

// The doubts are of one of the names that are looked up with the push. None of them was sent to
// another service. `db_now`: by the database's clock.
std::vector<DoubtGroup> grouped_as_sent(std::vector<crm::Doubt> doubts, const config::Push& push,
                                        const config::Settings& settings, crm::Database& database,
                                        TimePoint db_now);

// Takes away which customers are like a row in doubt, but are others' of these pushes.
void drop_known(Search& search, crm::Ledger& ledger, const std::vector<std::string>& pushes);

}  // namespace surveybridge::daemon
