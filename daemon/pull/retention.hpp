// How long pulled records are kept (`keep`), by the date of their last activity.
// Pure.
#pragma once

#include <vector>

#include "config/settings.hpp"
#include "daemon/job/job.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::daemon {

// The field that a record's age is counted from.
std::string age_field(config::Pull::List list);

// A record without that date is not old.
bool is_old(const mapping::Record& record, config::Pull::List list, TimePoint before);

// Removes from `records` those that are older than `keep` at `db_now`, and returns them.
std::vector<mapping::Record> take_old(std::vector<mapping::Record>& records,
                                      const config::Pull& pull, TimePoint db_now);

}  // namespace surveybridge::daemon
