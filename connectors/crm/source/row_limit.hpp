// A query that ends with LIMIT or FETCH FIRST gives some of its rows: no push sees the others, and
// no count has them.
#pragma once

#include <string>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// Is there one outside of parentheses, literals, quoted names and comments? Pure.
bool limits_rows(Dialect dialect, const std::string& query);

}  // namespace surveybridge::crm
