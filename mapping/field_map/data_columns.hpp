// [push.NAME.customer.Data] against the data columns that the service has (docs/SERVICE.md 2.3):
// names become ids, required columns must be there, archived ones must not. Pure.
#pragma once

#include <string>
#include <vector>

#include "mapping/field_map/compile.hpp"
#include "mapping/interface/data_column.hpp"

namespace surveybridge::mapping {

// The rules of Data: first the one of `correlate`, which always carries the row's key. Without
// `known` columns (offline) nothing is resolved, so nothing is unknown or missing.
std::vector<DataRule> compile_data(const config::Push& push, const std::vector<DataColumn>& known,
                                   const Compiling& compiling);

}  // namespace surveybridge::mapping
