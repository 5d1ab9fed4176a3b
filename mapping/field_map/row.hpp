// A row of a CRM query. Plain data.
#pragma once

#include <string>
#include <vector>

#include "mapping/values/value.hpp"

namespace surveybridge::mapping {

// The row's key in the ledger, and its cells in the order of the query's columns.
struct Row {
  std::string key;
  std::vector<Value> cells;
};

struct Unmappable {
  std::string reason;  // names the field and the rule, never a person's value
};

}  // namespace surveybridge::mapping
