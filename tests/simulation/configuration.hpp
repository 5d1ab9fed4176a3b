// The bridge's configuration in one schedule.
#pragma once

#include <string>

#include "tests/simulation/draw.hpp"
#include "tests/simulation/control.hpp"

namespace simulation {

std::string configuration(const Drawn& drawn, Broken broken);

}  // namespace simulation
