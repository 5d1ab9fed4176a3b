// A survey report as JSON for programs. Pure.
#pragma once

#include <string>

#include "daemon/report/report.hpp"

namespace surveybridge::daemon {

// One object: "scope", "verdict", "measures", "tables", "contact", "answer_time", "notes". Each row
// of a table has its fields as numbers (null: not shown) and texts, and under "shown" what people
// read.
std::string report_json(const SurveyReport& report);

}  // namespace surveybridge::daemon
