// A scenario of the pace simulator: a service with a limit of some kind, which may change during
// the run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sandbox/model/limit.hpp"
#include "tests/simulation/pace/strategy.hpp"

namespace pace_simulation {

struct Phase {
  Duration from{0};   // since the start
  std::string limit;  // sandbox::read_limit, several with a space between
};

struct Scenario {
  std::string name;
  std::vector<Phase> phases;
  Duration length, steady_from;  // steady state begins at steady_from
  bool says_when = true;         // 429 comes with Retry-After, in whole seconds
  int daemons = 1;
  double jitter = 0.5;           // a leg takes its mean time, plus or minus this share
  bool lanes = false;            // half of the workers write; else all read
  bool separate_limits = false;  // for reading and for writing, and ours is told so
};

const std::vector<Scenario>& scenarios();

// The mean network time of a round trip, and the mean time that the service works.
inline constexpr double kNetworkSeconds = 0.03, kServiceSeconds = 0.04;

std::vector<sandbox::LimitSpec> limits_of(const std::string& limit);
// The requests a second that a limit allows in the long run; of several limits, together.
double allowed_per_second(const std::string& limit);

// The limit at this time.
const std::string& limit_at(const Scenario& scenario, Duration since_start);

}  // namespace pace_simulation
