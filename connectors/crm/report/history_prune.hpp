// Removes from survey_customer_history what is no longer asked for.
#pragma once

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// Removes what was no longer so at `before`: each customer keeps the row of that time and the later
// ones, so that every day since then can be shown. Once a day, by `now` (the database's clock), it
// begins with the first customer; a call looks at 50,000 customers, and the next call goes on.
// Returns the number of rows removed.
std::int64_t prune_history(Database& database, Instant before, Instant now);
// Removes the rows of 50,000 customers: the next call goes on.
std::int64_t clear_history(Database& database);

}  // namespace surveybridge::crm
