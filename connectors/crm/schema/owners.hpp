// Other roles of the database: whose tables are no tables of ours, and who may create where our
// statements look.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// A sentence for each table of a name of ours, which a statement would find and may write to, whose
// owner is neither this role nor one that it is a member of, nor the database's owner, the schema's
// or a superuser.
std::vector<std::string> strange_tables(Database& database);

// The schemas in which statements look for tables and functions, and in which roles that are none
// of those may create.
std::vector<std::string> shared_schemas(Database& database);

}  // namespace surveybridge::crm
