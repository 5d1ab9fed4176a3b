// Rows into a table, and keys into a condition, as many at a time as the database takes.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// Runs insert() or upsert() of sql.hpp for rows: at once on PostgreSQL, row by row elsewhere.
void put(Database& database, const std::string& sql, const std::vector<std::vector<Value>>& rows);

// The parameters of sql.hpp's one_of() for a run of keys at a time, or for all of them where an
// array takes them.
std::vector<std::vector<mapping::Value>> key_chunks(Dialect dialect,
                                                    const std::vector<mapping::Value>& keys);

}  // namespace surveybridge::crm
