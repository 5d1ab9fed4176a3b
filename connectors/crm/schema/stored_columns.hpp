// The service's data columns as they were last read (survey_data_column).
#pragma once

#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "mapping/interface/data_column.hpp"

namespace surveybridge::crm {

// Empty: they have not been read yet.
std::vector<mapping::DataColumn> stored_data_columns(Database& database);

// The column that `name` means among the stored ones; as it is written where it means none.
mapping::DataColumn stored_column(Database& database, const std::string& name);

}  // namespace surveybridge::crm
