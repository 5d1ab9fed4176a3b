// What the pace simulator puts a client before: a service that limits requests in one of the ways
// services do, perhaps another way from some moment on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sandbox/limits/limit.hpp"
#include "tests/simulation/pace/strategy.hpp"

namespace pace_simulation {

struct Phase {
  Duration from{0};   // since the start
  std::string limit;  // sandbox::read_limit, several with a space between
};

struct Scenario {
  std::string name;
  std::vector<Phase> phases;
  Duration length, steady_from;  // what is counted as steady state begins there
  bool says_when = true;         // 429 comes with Retry-After, in whole seconds
  int daemons = 1;
  double jitter = 0.5;  // a leg of the way takes its mean, more or less by such a share
  bool lanes = false;   // half of the workers write; else all read
};

const std::vector<Scenario>& scenarios();

// The mean of a round trip, and of what of it the service works.
inline constexpr double kNetworkSeconds = 0.03, kServiceSeconds = 0.04;

std::vector<sandbox::LimitSpec> limits_of(const std::string& limit);
// How many requests a second a limit allows in the long run; of several, all together.
double allowed_per_second(const std::string& limit);

// Which limit holds at a time.
const std::string& limit_at(const Scenario& scenario, Duration since_start);

}  // namespace pace_simulation
