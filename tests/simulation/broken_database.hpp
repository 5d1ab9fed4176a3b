// Databases that break a rule of the bridge, for the negative controls: the daemon's code is
// unchanged, and the simulator must find the breach.
#pragma once

#include <functional>
#include <memory>

#include "connectors/crm/driver/database.hpp"
#include "tests/simulation/control.hpp"

namespace simulation {

// `between` is called where a rule was broken and the process could die.
std::unique_ptr<surveybridge::crm::Database> broken_database(
    std::unique_ptr<surveybridge::crm::Database> database, Broken broken,
    std::function<void()> between);

}  // namespace simulation
