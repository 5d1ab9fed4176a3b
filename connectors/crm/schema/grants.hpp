// The statement by which a database's administrator lets an account create the bridge's tables.
#pragma once

#include <string>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// For the account of this session, in the place where its tables are. Empty: the database has no
// such statement, or the account cannot be asked for.
std::string grant_to_create(Database& database);

}  // namespace surveybridge::crm
