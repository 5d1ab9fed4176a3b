// Removes old records from the pulled tables.
#pragma once

#include <string>

#include "connectors/crm/driver/database.hpp"
#include "mapping/interface/resource.hpp"

namespace surveybridge::crm {

// Removes records whose `field` (an instant of `root`) lies before `before`; where it is null, the
// time of their last change counts. Child rows are removed too. A few hundred in each transaction,
// and no further transaction after `most` records, so that a step ends: the next call continues.
// Returns the number of records.
std::int64_t prune(Database& database, const mapping::Resource& root, const std::string& field,
                   Instant before, std::int64_t most = 10'000);

}  // namespace surveybridge::crm
