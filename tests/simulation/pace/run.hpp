// One client and one service on a virtual clock: requests and answers in each second. The same seed
// gives the same run.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tests/simulation/pace/scenario.hpp"

namespace pace_simulation {

struct Second {
  double accepted = 0, refused = 0;
};

struct Run {
  std::vector<Second> seconds;
  long accepted = 0, refused = 0, within_wait = 0;  // within_wait: sent inside a Retry-After
  std::optional<double> thousand_after;             // seconds until 1,000 requests were accepted
};

Run run_pace(const Scenario& scenario, Peer peer, std::uint64_t seed);

// The figures of a run for a table.
struct Figures {
  double used = 0;     // share of the quota, in steady state
  double refused = 0;  // share of all requests of the whole run
  double refused_steady = 0;
  std::optional<double> recovery;  // seconds after a change, the worst; empty: none, or never
  std::optional<double> drained;   // seconds for 100,000 rows in batches of 100
  long within_wait = 0;
};
Figures figures_of(const Scenario& scenario, const Run& run);

}  // namespace pace_simulation
