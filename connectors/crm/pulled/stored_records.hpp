// Reads records back from the pulled tables.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::crm {

// The stored records of a root with these keys (mapping::key_of); reads only. Within the caller's
// transaction if there is one. DatabaseError if a cell is not what the bridge wrote.
std::vector<mapping::Record> stored_records(Database& database, const mapping::Resource& root,
                                            const std::vector<Value>& keys);

// Up to `limit` keys of stored records behind this one (as text), in their order. Empty: the first.
std::vector<Value> stored_keys(Database& database, const mapping::Resource& root,
                               const std::string& behind, int limit);

// Is any record of this root stored?
bool has_records(Database& database, const mapping::Resource& root);

// The key of a record of this root, of its text (text_in of mapping::key_of).
Value stored_key(const mapping::Resource& root, const std::string& text);

}  // namespace surveybridge::crm
