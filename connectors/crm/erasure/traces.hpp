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
  };
  std::vector<Cell> cells;
};

// Keys of transactions and names become erased keys (erased_keys.hpp) by this hash key. What
// the bridge has noted, and records that could not be read, are erased as a whole; of other texts
// the address is. A longer address is another one: see mapping/values/address_traces.hpp. The bytes
// of files are not looked at.
std::vector<Trace> traces_of(Database& database, const std::string& hash_key,
                             const std::string& address);
// The number of changed rows.
std::int64_t erase_traces(Database& database, const std::vector<Trace>& traces);

// A condition for in_dialect() with one parameter, which finds at least the rows whose column holds
// the address; and the parameter.
std::string may_hold(Dialect dialect, const std::string& column);
std::string as_pattern(const std::string& address);

}  // namespace surveybridge::crm
