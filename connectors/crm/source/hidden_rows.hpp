// Tables of which an account may not see every row, by policies of the database: who is on a list
// of the operator's own and hidden there would be mailed.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// Those that the query names by a word of its own. Empty where no database has such, or it cannot
// be asked.
std::vector<std::string> tables_that_hide_rows(Database& database, const std::string& query);

}  // namespace surveybridge::crm
