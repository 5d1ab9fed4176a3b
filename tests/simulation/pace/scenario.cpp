#include "tests/simulation/pace/scenario.hpp"

#include <sstream>
#include <stdexcept>

namespace pace_simulation {

using namespace std::chrono_literals;

namespace {
constexpr double kQuiet = 0.05;
}  // namespace

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> all = {
      {"bucket, 20/s, burst 20", {{0s, "bucket:20/s:burst=20"}}, 18min, 3min},
      {"bucket, 20/s, burst 5", {{0s, "bucket:20/s:burst=5"}}, 18min, 3min},
      {"bucket, 20/s, no burst", {{0s, "bucket:20/s"}}, 18min, 3min, true, 1, kQuiet},
      {"the same, restless network", {{0s, "bucket:20/s"}}, 18min, 3min},
      {"bucket, 100/s, burst 100", {{0s, "bucket:100/s:burst=100"}}, 18min, 3min},
      {"bucket, 20/s, silent", {{0s, "bucket:20/s:burst=20"}}, 18min, 3min, false},
      {"600 in each minute", {{0s, "minute:600"}}, 30min, 5min},
      {"600 in each minute, silent", {{0s, "minute:600"}}, 40min, 10min, false},
      {"100 in any 10 s", {{0s, "sliding:100/10s"}}, 18min, 3min},
      {"4 at the same time", {{0s, "concurrent:4"}}, 18min, 3min},
      {"10,000 a day", {{0s, "day:10000"}}, 48h, 0s},
      {"20/s, halves and comes back",
       {{0s, "bucket:20/s:burst=20"},
        {5min, "bucket:10/s:burst=20"},
        {6min, "bucket:20/s:burst=20"}},
       18min,
       3min},
      {"20/s for writes and reads",
       {{0s, "bucket:20/s:burst=20"}},
       18min,
       3min,
       true,
       1,
       0.5,
       true},
      {"writes 5/s, reads 20/s",
       {{0s, "write:bucket:5/s:burst=5 read:bucket:20/s:burst=20"}},
       40min,
       10min,
       true,
       1,
       0.5,
       true,
       true},
      {"writes 10/s, reads 10/s",
       {{0s, "write:bucket:10/s:burst=10 read:bucket:10/s:burst=10"}},
       18min,
       3min,
       true,
       1,
       0.5,
       true,
       true},
      {"two daemons, 20/s", {{0s, "bucket:20/s:burst=20"}}, 18min, 3min, true, 2},
  };
  return all;
}

std::vector<sandbox::LimitSpec> limits_of(const std::string& limit) {
  std::vector<sandbox::LimitSpec> specs;
  std::istringstream words(limit);
  for (std::string word; words >> word;) {
    const auto spec = sandbox::read_limit(word);
    if (!spec) throw std::invalid_argument("no limit: " + word);
    specs.push_back(*spec);
  }
  return specs;
}

namespace {

double allowed_by(const sandbox::LimitSpec& spec) {
  switch (spec.kind) {
    case sandbox::LimitSpec::Kind::token_bucket:
      return spec.per_second;
    case sandbox::LimitSpec::Kind::fixed_window:
    case sandbox::LimitSpec::Kind::sliding_window:
      return static_cast<double>(spec.count) / std::chrono::duration<double>(spec.window).count();
    case sandbox::LimitSpec::Kind::concurrency:
      // A client with this many requests under way; network time counts.
      return static_cast<double>(spec.count) / (kNetworkSeconds + kServiceSeconds);
  }
  return 0;
}

}  // namespace

double allowed_per_second(const std::string& limit) {
  double sum = 0;
  for (const auto& spec : limits_of(limit))
    sum += allowed_by(spec);
  return sum;
}

const std::string& limit_at(const Scenario& scenario, Duration since_start) {
  const Phase* current = &scenario.phases.front();
  for (const Phase& phase : scenario.phases)
    if (phase.from <= since_start) current = &phase;
  return current->limit;
}

}  // namespace pace_simulation
