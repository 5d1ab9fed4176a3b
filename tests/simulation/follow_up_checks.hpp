// Each stored answer that meets a follow-up was told to each of its receivers, and no other. That
// nothing was told twice is seen by the receivers (receivers.hpp).
#pragma once

#include <vector>

#include "mapping/interface/record.hpp"
#include "tests/simulation/schedule_run.hpp"

namespace simulation {

// `customers`: all that the service lists.
void check_follow_ups(ScheduleRun& run, const Drawn& drawn,
                      const std::vector<surveybridge::mapping::Record>& customers, Report& report);

}  // namespace simulation
