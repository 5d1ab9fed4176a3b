// What must be true when the faults have stopped and everything has come to rest.
#pragma once

#include "tests/simulation/life.hpp"

namespace simulation {

void check_transactions(Life& life, const Drawn& drawn, Report& report);
void check_tables(Life& life, const Drawn& drawn, Report& report);

}  // namespace simulation
