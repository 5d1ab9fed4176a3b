// Each stored answer that meets a follow-up was told to each of its receivers, and no other. That
// nothing was told twice is seen by the receivers (receivers.hpp).
#pragma once

#include <vector>

#include "mapping/interface/record.hpp"
#include "tests/simulation/schedule_run.hpp"

namespace simulation {

// Does the customer ask to be called, or has it given such a score or a lower one?
bool asks_for_follow_up(const surveybridge::mapping::Record& customer, int score_limit);
// Was it given since then? One from before the follow-up was there is not told.
bool is_since(const surveybridge::mapping::Record& customer, TimePoint since);

// `customers`: all that the service lists.
void check_follow_ups(ScheduleRun& run, const Drawn& drawn,
                      const std::vector<surveybridge::mapping::Record>& customers, Report& report);

}  // namespace simulation
