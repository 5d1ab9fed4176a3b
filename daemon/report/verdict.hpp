// What a survey report says in a few sentences. Pure.
#pragma once

#include <string>
#include <vector>

#include "daemon/report/measure.hpp"

namespace surveybridge::daemon {

// How many could have answered and did, the score of the first question, and which figures have
// changed against the time before. `measures`: the response rate first.
std::vector<std::string> verdict_sentences(const std::vector<Measure>& measures,
                                           const std::string& before);

}  // namespace surveybridge::daemon
