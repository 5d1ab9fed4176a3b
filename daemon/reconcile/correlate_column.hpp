// The data column that carries the key of a transaction (`correlate`), as the service has it now.
#pragma once

#include <string>
#include <variant>

#include "connectors/service/api.hpp"
#include "daemon/job/job.hpp"
#include "mapping/interface/data_column.hpp"

namespace surveybridge::daemon {

// Reads the service's data columns: filters, and some lists, name a column by its number only. A
// Trouble of the kind `misplaced`, with `otherwise` behind it, if the service has no such column.
std::variant<mapping::DataColumn, service::Trouble> read_correlate_column(
    service::Api& api, const std::string& correlate, const std::string& otherwise, TimePoint now);

}  // namespace surveybridge::daemon
