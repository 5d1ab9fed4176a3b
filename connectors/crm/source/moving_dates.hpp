// Dates that are set anew with each change of a row, by the database (ON UPDATE of MariaDB) or by
// the program that writes it: by such a one an old row that is changed looks like a new
// transaction.
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

// Is it called as programs call such a date: "updated_at", "LastModifiedDate", "last_activity_at"?
bool is_called_moving(const std::string& column);

}  // namespace surveybridge::crm
