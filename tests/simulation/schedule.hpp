// One schedule of the simulator: a seed draws rows, faults, crashes and pauses; the real daemon
// runs through them on a simulated clock; then the faults stop, and everything must add up.
// The same seed gives the same run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/simulation/control.hpp"
#include "tests/simulation/world.hpp"

namespace simulation {

struct Report {
  std::uint64_t seed = 0;
  std::string extras;               // what was drawn of the world, with commas
  std::vector<std::string> faults;  // what does not add up; empty: all is well
  // What the run went through, to see that it was worth running.
  int rows = 0, sent = 0, in_doubt = 0, held = 0, forgotten = 0, crashes = 0, pauses = 0,
      wire_faults = 0, lies = 0, database_faults = 0, releases = 0, requests = 0,
      left_out = 0,      // not drawn, over a quota, or skipped
      told = 0,          // answers, to each receiver
      told_in_vain = 0;  // messages that a receiver of the real processes has not taken
};

// `template_database`: an SQLite file with the CRM's table and the bridge's schema, copied.
Report run_schedule(std::uint64_t seed, Broken broken, const World& world,
                    const std::string& folder);

}  // namespace simulation
