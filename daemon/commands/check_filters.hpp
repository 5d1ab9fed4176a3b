// Does the service heed what a pull asks for? One that does not understand a filter ignores it and
// lists everything; it is asked for what cannot be, which must find nothing. Part of `check`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/service/api.hpp"
#include "daemon/job/job.hpp"
#include "mapping/interface/data_column.hpp"

namespace surveybridge::daemon {

struct FilterFinding {
  std::string what;                         // "pull.customers: Statuses"
  std::optional<service::Trouble> trouble;  // it could not be asked
  std::string wrong;                        // else: what its answer shows
};

// Every filter and window of a pull, each once. Empty: the service heeds them all, as far as
// asking can tell.
std::vector<FilterFinding> check_filters(service::Api& api, const config::Settings& settings,
                                         const config::Pull& pull,
                                         const std::vector<mapping::DataColumn>& columns,
                                         TimePoint now);

}  // namespace surveybridge::daemon
