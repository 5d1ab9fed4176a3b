// Does the service use the filters of a pull? One that does not understand a filter lists
// everything, so it is asked for something impossible, which must find nothing. Part of `check`.
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
  std::optional<service::Trouble> trouble;  // the request failed
  std::string wrong;                        // otherwise: what the answer shows
};

// Every filter and window of a pull, each once. Empty: the service uses all of them, as far as
// requests can show.
std::vector<FilterFinding> check_filters(service::Api& api, const config::Settings& settings,
                                         const config::Pull& pull,
                                         const std::vector<mapping::DataColumn>& columns,
                                         TimePoint now);

}  // namespace surveybridge::daemon
