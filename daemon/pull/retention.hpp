// How long what was pulled is kept (`keep`): by the date that says when a record last mattered.
// Pure.
#pragma once

#include "config/settings.hpp"
#include "daemon/job/job.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::daemon {

// The field that a record's age is counted from.
const char* age_field(config::Pull::List list);

// A record without that date is not old: nobody knows.
bool is_old(const mapping::Record& record, config::Pull::List list, TimePoint before);

}  // namespace surveybridge::daemon
