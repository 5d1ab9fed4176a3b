// Records into the pulled tables, within the caller's transaction: which of them are new or
// different, and their rows in the root's table and its children.
#pragma once

#include <vector>

#include "connectors/crm/database.hpp"
#include "mapping/tables.hpp"

namespace surveybridge::crm {

// Records without earlier ones of the same key, in their order.
std::vector<mapping::Record> latest(const std::vector<mapping::Record>& records);

// Those that are not stored, or whose content is not what is stored.
std::vector<mapping::Record> differing(Database& database, const mapping::Resource& root,
                                       std::vector<mapping::Record> records);

// Writes records, each key once: the root's row is replaced, and so are all rows of its children.
void store(Database& database, const mapping::Resource& root,
           const std::vector<mapping::Record>& records);

// Runs insert() or upsert() of sql.hpp for rows: at once on PostgreSQL, row by row elsewhere.
void put(Database& database, const std::string& sql, const std::vector<std::vector<Value>>& rows);

}  // namespace surveybridge::crm
