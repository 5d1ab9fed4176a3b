// What the daemon, the service and the jobs of one schedule are made with.
#pragma once

#include <string>

#include "sandbox/options/options.hpp"
#include "tests/in_process/instance.hpp"
#include "tests/simulation/control.hpp"
#include "tests/simulation/draw.hpp"

namespace simulation {

// The daemon's configuration, as TOML.
std::string configuration(const Drawn& drawn, Broken broken);

// The service.
sandbox::Options options_of(const Drawn& drawn);

// What becomes of work beside the steps of a job.
in_process::Beside beside(const Drawn& drawn);

}  // namespace simulation
