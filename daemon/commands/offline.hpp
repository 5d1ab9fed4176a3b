// What can be found wrong without database and service. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"

namespace surveybridge::daemon {

// The query's columns are not known here: all columns that a map names are assumed to exist.
std::vector<config::Problem> offline_problems(const config::Settings& settings);

// The same of one pull: the paths of its writes.
std::vector<config::Problem> path_problems(const config::Pull& pull);

// What `check` says of a status page that other machines reach and that asks for no token.
std::optional<std::string> note_of_open_page(const config::Settings& settings);

}  // namespace surveybridge::daemon
