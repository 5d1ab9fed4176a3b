// What was pulled, as the records it came as: put together again from the pulled tables.
#pragma once

#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::crm {

// The records of a root with these keys (mapping::key_of) that are stored; reads only. Within the
// caller's transaction where there is one. DatabaseError where a cell is not what the bridge wrote.
std::vector<mapping::Record> stored_records(Database& database, const mapping::Resource& root,
                                            const std::vector<Value>& keys);

}  // namespace surveybridge::crm
