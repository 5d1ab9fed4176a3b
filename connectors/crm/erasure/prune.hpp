// Removes what was pulled and has grown old.
#pragma once

#include <string>

#include "connectors/crm/driver/database.hpp"
#include "mapping/interface/resource.hpp"

namespace surveybridge::crm {

// Records whose `field` (an instant of `root`), or where that is null the time they last changed
// here, lies before `before`; with all rows of their children. A few hundred at a time, each time a
// transaction. How many.
std::int64_t prune(Database& database, const mapping::Resource& root, const std::string& field,
                   Instant before);

}  // namespace surveybridge::crm
