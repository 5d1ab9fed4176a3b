// Where the bridge's tables hold an address: every text of every table, whatever the column is for.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct Trace {
  std::string table;
  std::vector<Value> key;  // of the row
  struct Cell {
    std::string column;
    Value then;  // without the address
    // What is the person's for certain: a key as it is, and of any other text, which may be about
    // others, the address.
    Value theirs;
  };
  std::vector<Cell> cells;
};

// Keys of transactions and names become erased keys (erased_keys.hpp) by this hash key. What
// the bridge has noted, and records that could not be read, are erased as a whole; of other texts
// the address is. A longer address is another one: see mapping/values/address_traces.hpp. The bytes
// of files are not looked at.
// The tables are read row by row, whatever their size is. A letter that is written by its number is
// found as %61, \u0061 or &#97;, and in any notation in records that could not be read.
std::vector<Trace> traces_of(Database& database, const std::string& hash_key,
                             const std::string& address);
// The number of changed rows.
std::int64_t erase_traces(Database& database, const std::vector<Trace>& traces);

// A condition for in_dialect(), without parameters, which finds at least the rows whose column
// holds the address, or one that was cut behind its "@". It may find most rows of a table:
// read_each() takes them. It says no more of the address than letters before the "@", for a
// database may keep the texts of statements.
std::string may_hold(Dialect dialect, const std::string& column, const std::string& address);

}  // namespace surveybridge::crm
