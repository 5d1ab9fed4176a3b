#include "tests/simulation/pace/report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace pace_simulation {

namespace {

// The worse of the two; "never" is worse than any time.
std::optional<double> worse(std::optional<double> a, std::optional<double> b) {
  return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
}

Figures worst_of(const Scenario& scenario, Peer peer, std::uint64_t first, std::uint64_t last) {
  Figures worst = figures_of(scenario, run_pace(scenario, peer, first));
  for (auto seed = first + 1; seed <= last; ++seed) {
    const Figures figures = figures_of(scenario, run_pace(scenario, peer, seed));
    worst.used = std::min(worst.used, figures.used);
    worst.refused = std::max(worst.refused, figures.refused);
    worst.within_wait += figures.within_wait;
    worst.recovery = worse(worst.recovery, figures.recovery);
    worst.drained = worse(worst.drained, figures.drained);
  }
  return worst;
}

std::string seconds_text(std::optional<double> seconds) {
  return seconds && *seconds < 1e8 ? fmt::format("{:.0f} s", std::ceil(*seconds)) : "never";
}

std::string line_of(const Row& row) {
  const bool changes = row.scenario->phases.size() > 1;
  return fmt::format("| {} | {} | {:.1f} % | {:.2f} % | {} | {} | {} |\n", row.scenario->name,
                     name_of(row.peer), row.worst.used * 100, row.worst.refused * 100,
                     seconds_text(row.worst.drained),
                     changes ? seconds_text(row.worst.recovery) : "", row.worst.within_wait);
}

}  // namespace

std::vector<Row> simulate(std::uint64_t first_seed, std::uint64_t last_seed) {
  std::vector<Row> rows;
  for (const Scenario& scenario : scenarios())
    for (const Peer peer : kAllPeers)
      rows.push_back({&scenario, peer, worst_of(scenario, peer, first_seed, last_seed)});
  return rows;
}

std::string table_of(const std::vector<Row>& rows) {
  std::string text =
      "| Limit | Strategy | Used | 429 | 100,000 rows | Recovery | Inside a wait |\n"
      "|---|---|---:|---:|---:|---:|---:|\n";
  for (const Row& row : rows)
    text += line_of(row);
  return text;
}

}  // namespace pace_simulation
