// What `check` says of names in the paths of [pull.LIST] that are well written, and that the
// service does not have: data columns, statuses and questions. Pure.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "mapping/interface/data_column.hpp"

namespace surveybridge::daemon {

// What there is; of what is empty nobody knows.
struct NamesOfService {
  std::vector<mapping::DataColumn> columns;
  std::vector<std::string> statuses;
  std::set<std::int64_t> questions;  // that somebody has answered
};

// A sentence for each that is not there. It is no error: a service may not list archived columns,
// and nobody may have answered a question yet.
std::vector<std::string> unknown_in_paths(const config::Pull& pull, const NamesOfService& known);
std::vector<std::string> unknown_questions(const config::Report& report,
                                           const NamesOfService& known);

}  // namespace surveybridge::daemon
