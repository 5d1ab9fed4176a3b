// The results of `surveysimulate pace`: every kind of limit with every strategy, as a table for
// docs/PERFORMANCE.md. Pure; the program writes the text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/simulation/pace/run.hpp"

namespace pace_simulation {

// The worst of several seeds, for each figure separately.
struct Row {
  const Scenario* scenario;
  Peer peer;
  Figures worst;
};

std::vector<Row> simulate(std::uint64_t first_seed, std::uint64_t last_seed);
// A Markdown table.
std::string table_of(const std::vector<Row>& rows);

}  // namespace pace_simulation
