// A survey report as one HTML page that can be mailed, printed and served: without a script, and
// without a request to anywhere. Pure.
#pragma once

#include <string>

#include "daemon/report/report.hpp"

namespace surveybridge::daemon {

std::string report_html(const SurveyReport& report);

}  // namespace surveybridge::daemon
