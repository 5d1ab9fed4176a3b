// A survey report for a terminal: plain characters without colour, columns aligned by the cells
// that their text takes. Pure.
#pragma once

#include <string>

#include "daemon/report/report.hpp"

namespace surveybridge::daemon {

// `width`: of the terminal; less than 72 counts as 72. Names are wrapped, never cut.
std::string report_text(const SurveyReport& report, int width);

}  // namespace surveybridge::daemon
