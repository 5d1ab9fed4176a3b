// How long pulled records are kept (`keep`), by the date of their last activity.
// Pure.
#pragma once

#include "config/settings.hpp"
#include "daemon/job/job.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::daemon {

// The field that a record's age is counted from.
std::string age_field(config::Pull::List list);

// A record without that date is not old.
bool is_old(const mapping::Record& record, config::Pull::List list, TimePoint before);

}  // namespace surveybridge::daemon
