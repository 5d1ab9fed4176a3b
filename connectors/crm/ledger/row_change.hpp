// A statement that changes many rows of the ledger. Where a statement takes arrays (PostgreSQL),
// one run changes all rows; elsewhere the same statement runs for one row after the other.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// The states from which a row may move.
enum class From {
  claimed_or_doubt,
  doubt,
  claimed,
  quarantine,
  quarantine_or_suppression,
  suppression,
  held,
  held_or_doubt,
  unsent,
  sent,
  marked_sent,  // sent, since a person said so, and the service has not shown its customer
};

// Is a row in one of these states? `table`: "t." where the statement names the row so.
std::string is_from(From from, std::string_view table = "");

// Types are those of in_dialect().
struct RowChange {
  struct Same {
    std::string type;
    Value value;
  };
  struct Each {
    std::string name, type;
    std::vector<Value> values = {};  // one for each row
  };
  // The statement calls the ledger's table t. `$name` in it is a value of `same` or `each`, and
  // `$rows` stands where a FROM does.
  std::string sql;
  std::map<std::string, Same> same;  // by name: values that all rows share
  std::vector<Each> each;            // the first is the key

  // The values of one more row, in the order of `each`.
  void add(std::vector<Value> row);
};

// Returns the keys of the rows that were changed or inserted.
std::set<std::string> change_rows(Database& database, const RowChange& change);

}  // namespace surveybridge::crm
