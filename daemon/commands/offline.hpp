// What can be found wrong with field maps and write-backs without asking database or service. Pure.
#pragma once

#include <vector>

#include "config/settings.hpp"

namespace surveybridge::daemon {

// The query's columns are not known here: those that a map names are believed to be there.
std::vector<config::Problem> offline_problems(const config::Settings& settings);

// Where the fields of a push's customers come from, each source of its map.
std::vector<const config::FieldSource*> sources_of(const config::Push& push);

}  // namespace surveybridge::daemon
