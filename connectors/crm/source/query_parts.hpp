// An operator's query taken apart: its rows without its conditions, to tell which of them leaves
// rows out. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/dialect/dialect.hpp"

namespace surveybridge::crm {

struct QueryParts {
  std::string unconditional;            // the query without WHERE and ORDER BY
  std::vector<std::string> conditions;  // joined by AND, as they are written
};

// Empty where it is not certain: one SELECT from tables that are joined by ON or USING, with a
// WHERE; it neither groups nor limits its rows, and calls no function that might do more than
// compute.
std::optional<QueryParts> parts_of(Dialect dialect, const std::string& query);

// The query without the condition at this place.
std::string without_condition(const QueryParts& parts, std::size_t left_out);

}  // namespace surveybridge::crm
