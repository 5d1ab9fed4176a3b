// The operator's list of addresses that must not be mailed: a query of the CRM.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// Which of these addresses the query's first column names, in lower case. Case and blanks around
// make no difference, by the database's own letters. DatabaseError when the query fails or has no
// column.
std::set<std::string> listed(Database& database, const std::string& query,
                             const std::vector<std::string>& addresses);

}  // namespace surveybridge::crm
