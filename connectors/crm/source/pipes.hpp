// || joins two texts, but for MariaDB it is OR unless the session says otherwise: 'visit-' || id is
// 1 for every row.
#pragma once

#include <string>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// Is there a || outside of literals, quoted names and comments, in a dialect that may read it as
// OR? Pure.
bool may_mean_or(Dialect dialect, const std::string& query);

// Throws DatabaseError(other) for such a query, where this session reads || as OR: whether that is
// meant, only who wrote it knows.
void refuse_pipes_for_or(Database& database, const std::string& query);

}  // namespace surveybridge::crm
