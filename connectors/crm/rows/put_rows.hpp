// Writes and removes rows of a table, and puts keys into a condition, as many at a time as the
// database allows.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::crm {

// Runs insert() or upsert() of sql.hpp for rows: all at once on PostgreSQL, row by row elsewhere.
void put(Database& database, const std::string& sql, const std::vector<std::vector<Value>>& rows);

// Inserts whole rows that are not there yet, as fast as the database can.
void insert_rows(Database& database, const mapping::Table& table,
                 const std::vector<std::vector<Value>>& rows);
void insert_rows(Database& database, const mapping::Table& table, const RowSource& rows);

// Removes the rows with these keys (of the first column). Returns their number.
std::int64_t remove_rows(Database& database, const mapping::Table& table,
                         const std::vector<mapping::Value>& keys);

// How many bytes the texts of one statement may have: max_allowed_packet of MariaDB. npos: any
// number.
std::size_t row_bytes_max(Database& database);

// The parameters for one_of() of sql.hpp, a number of keys at a time, or all of them as an
// array.
std::vector<std::vector<mapping::Value>> key_chunks(Dialect dialect,
                                                    const std::vector<mapping::Value>& keys);

}  // namespace surveybridge::crm
