// Dates that the database sets anew with each change of a row (ON UPDATE of MariaDB): by such a one
// an old row that is changed looks like a new transaction.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct MovingDate {
  std::string table, column;
};
// Those of the tables that the query names by a word of its own. Empty where no database has such.
std::vector<MovingDate> moving_dates(Database& database, const std::string& query);

}  // namespace surveybridge::crm
