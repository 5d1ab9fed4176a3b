// Problems of field maps and write-backs that can be found without database and service. Pure.
#pragma once

#include <vector>

#include "config/settings.hpp"

namespace surveybridge::daemon {

// The query's columns are not known here: all columns that a map names are assumed to exist.
std::vector<config::Problem> offline_problems(const config::Settings& settings);

// The sources of all fields of a push's customers.
std::vector<const config::FieldSource*> sources_of(const config::Push& push);

}  // namespace surveybridge::daemon
