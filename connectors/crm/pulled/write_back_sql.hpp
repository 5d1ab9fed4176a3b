// The statements of a write-back as text for a dialect. Pure. Only rows that would change are
// written, so that triggers and change feeds of the CRM are not called for nothing.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct WriteShape {
  struct Column {
    std::string name;
    std::string type;  // with arrays: its name there, for the cast
    bool is_instant = false;
    enum class Compared { as_it_is, by_letter, by_word } compared = Compared::as_it_is;
  };
  std::string table;  // "orders" or "sales.orders"
  std::vector<Column> match, set;
};

// With arrays (PostgreSQL), all rows at once. Parameters: an array for each match column, then each
// set column. Its one row: how many CRM rows changed, how many of ours matched none, how many
// several; the positions, from 1 and with blanks between, of those that changed a row.
std::string write_many(Dialect dialect, const WriteShape& shape);

// With arrays, afterwards: the rows of the CRM that differ from ours, by our position, with the set
// columns as they are. Not where several of ours match one row: one of them counts there.
// Parameters as write_many().
std::string differing_many(Dialect dialect, const WriteShape& shape);

// With arrays: which of the rows match none, by their position from 1. Parameters as write_many().
std::string unmatched_many(Dialect dialect, const WriteShape& shape);

// A new row. Parameters: the match values, the set values.
std::string insert_one(Dialect dialect, const WriteShape& shape);

// Elsewhere, one row. Parameters: the set values, the match values, the set values again.
std::string write_one(Dialect dialect, const WriteShape& shape);
// The number of rows that one of ours matches, and of those that differ from it. Parameters: the
// set values, the match values.
std::string count_matches(Dialect dialect, const WriteShape& shape);
// Those that differ, with the set columns as they are. Parameters: the match values, the set
// values.
std::string differing_one(Dialect dialect, const WriteShape& shape);

}  // namespace surveybridge::crm
