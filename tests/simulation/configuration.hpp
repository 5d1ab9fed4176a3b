// The bridge's configuration in one schedule.
#pragma once

#include <string>

#include "tests/simulation/control.hpp"
#include "tests/simulation/draw.hpp"

namespace simulation {

std::string configuration(const Drawn& drawn, Broken broken);

}  // namespace simulation
