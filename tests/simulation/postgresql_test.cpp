// "Never twice, never lost" with real concurrency: daemons as processes on a real PostgreSQL. More
// seeds: surveysimulate --database postgresql --seeds A..B (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include "tests/simulation/processes/process_world.hpp"

namespace {

using namespace simulation;

TEST(OnPostgresql, SchedulesOfRealProcessesAddUp) {
  constexpr int kSeeds = 24, kAtOnce = 6;
  int schedules = 0, sent = 0, told = 0, told_in_vain = 0, kills = 0, faults = 0;
  run_on_postgresql(1, kSeeds, tested_world(), kAtOnce, [&](const Report& report) {
    for (const auto& fault : report.faults)
      ADD_FAILURE() << "seed " << report.seed << " (" << report.extras << "): " << fault;
    ++schedules;
    sent += report.sent;
    told += report.told;
    told_in_vain += report.told_in_vain;
    kills += report.crashes;
    faults += report.wire_faults + report.database_faults;
  });
  EXPECT_EQ(schedules, kSeeds);
  // Runs in which nothing goes out, or nothing goes wrong, would prove nothing.
  EXPECT_GT(sent, 8 * kSeeds);
  EXPECT_GT(kills, kSeeds / 2);
  EXPECT_GT(told, 2 * kSeeds);
  EXPECT_GT(told_in_vain, kSeeds / 2);
  EXPECT_GT(faults, kSeeds);
}

}  // namespace
