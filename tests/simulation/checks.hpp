// What must be true when the faults have stopped and everything has come to rest.
#pragma once

#include "tests/simulation/schedule_run.hpp"

namespace simulation {

void check_transactions(ScheduleRun& run, const Drawn& drawn, Report& report);
void check_tables(ScheduleRun& run, const Drawn& drawn, Report& report);

}  // namespace simulation
