// What `surveysimulate pace` shows: every kind of limit before every strategy, as a table for
// docs/PACE.md and as a plot. Pure text out; the program writes it where it was asked to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/simulation/pace/run.hpp"

namespace pace_simulation {

// The worst of several seeds, each figure by itself.
struct Row {
  const Scenario* scenario;
  Peer peer;
  Figures worst;
};

std::vector<Row> simulate(std::uint64_t first_seed, std::uint64_t last_seed);
// A Markdown table.
std::string table_of(const std::vector<Row>& rows);
// What was let in, second by second, where the limit halves and comes back: one SVG.
std::string plot_of(std::uint64_t seed);

}  // namespace pace_simulation
