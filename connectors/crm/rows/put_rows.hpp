// Runs statements of our own: queries, rows that are written and removed, keys in a condition, as
// many at a time as the database allows.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::crm {

// Runs insert() or upsert() of sql.hpp for rows: all at once on PostgreSQL, row by row elsewhere.
void put(Database& database, const std::string& sql, const std::vector<std::vector<Value>>& rows);
// Inserts whole rows, or replaces those with the same keys.
void upsert_rows(Database& database, const mapping::Table& table,
                 const std::vector<std::vector<Value>>& rows);
// Adds the numbers behind the key to those of the row with this key. False: there was none, and it
// was inserted.
bool add_to_row(Database& database, const mapping::Table& table, const std::vector<Value>& row);

// Inserts whole rows that are not there yet, as fast as the database can.
void insert_rows(Database& database, const mapping::Table& table,
                 const std::vector<std::vector<Value>>& rows);
void insert_rows(Database& database, const mapping::Table& table, const RowSource& rows);

// Runs a statement of our own, a pattern of in_dialect(): the rows of a query, or the number of
// changed rows. `most`: so many rows of a query that ends with ORDER BY; empty: all.
std::vector<std::vector<Value>> query_rows(Database& database, std::string_view pattern,
                                           const std::vector<Value>& parameters = {},
                                           std::optional<int> most = {});
// The only cell of a query that has one row.
Value query_value(Database& database, std::string_view pattern,
                  const std::vector<Value>& parameters = {});
std::int64_t run_statement(Database& database, std::string_view pattern,
                           const std::vector<Value>& parameters = {});
// The same, a pattern too, for each of these rows of parameters.
std::int64_t run_each(Database& database, std::string_view pattern,
                      const std::vector<std::vector<Value>>& rows);
// Has the query a row? No more than one is read.
bool has_row(Database& database, std::string_view pattern,
             const std::vector<Value>& parameters = {});

// The first cell of each row, which is a text.
std::vector<std::string> texts_in(const std::vector<std::vector<Value>>& rows);
std::set<std::string> text_set_in(const std::vector<std::vector<Value>>& rows);

// The rows of a SELECT whose column is one of these keys. `condition` stands behind that, with its
// parameters; both are patterns of in_dialect(), and only the condition has parameters.
std::vector<std::vector<Value>> rows_with_keys(Database& database, const std::string& select,
                                               const mapping::TableColumn& column,
                                               const std::vector<Value>& keys,
                                               const std::string& condition = "",
                                               const std::vector<Value>& parameters = {});

// Removes the rows of one of our tables that meet the condition, a pattern of in_dialect(). They
// are looked up first, and removed by their keys in the order of keys: a DELETE of MariaDB waits
// for each row that it looks at, and two sessions that look at each other's new rows are a
// deadlock.
std::int64_t remove_where(Database& database, const mapping::Table& table,
                          std::string_view condition, const std::vector<Value>& parameters);

// Removes the rows with these keys (of the first column). Returns their number.
std::int64_t remove_rows(Database& database, const mapping::Table& table,
                         const std::vector<mapping::Value>& keys);
// The rows that remove_rows() would remove, with all columns that the table has in the database.
Result whole_rows(Database& database, const mapping::Table& table,
                  const std::vector<mapping::Value>& keys);

// How many bytes the texts and bytes of one statement may have: max_allowed_packet of MariaDB.
// npos: any number.
std::size_t row_bytes_max(Database& database);

// The parameters for one_of() of sql.hpp, a number of keys at a time, or all of them as an
// array.
std::vector<std::vector<mapping::Value>> key_chunks(Dialect dialect,
                                                    const std::vector<mapping::Value>& keys);

}  // namespace surveybridge::crm
